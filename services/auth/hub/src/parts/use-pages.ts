import { useEffect, useRef, useState } from 'preact/hooks'
import { ask, Refusal, refusalOf } from '../api'
import { session } from '../session'
import { announce } from './announcer'
import { useLive } from './use-live'
import type { Loaded } from './use-load'

export interface PageList<Row> {
  readonly rows: readonly Row[]
  readonly hasMore: boolean
}

export interface Pages<Row> {
  readonly loaded: Loaded<PageList<Row>>
  /** Why loading more rows failed; the loaded rows stay. */
  readonly trouble: Refusal | undefined
  readonly isBusy: boolean
  readonly more: () => void
  readonly again: () => void
}

export interface PageSource<Page, Row> {
  readonly path: (lastRow: Row | undefined) => string
  readonly rows: (page: Page) => readonly Row[]
  /** A key of the list's filters: a change starts a new list. */
  readonly key: string
  /** Puts the newest page, read again, into the list. Without it the list stays as loaded. */
  readonly refresh?: (known: PageList<Row>, fresh: PageList<Row>) => PageList<Row>
}

/** A list that grows page by page, and begins anew in another session. */
export function usePages<Page extends { readonly has_more: boolean }, Row>(
  source: PageSource<Page, Row>,
): Pages<Row> {
  const [loaded, setLoaded] = useState<Pages<Row>['loaded']>({ state: 'loading' })
  const [trouble, setTrouble] = useState<Refusal>()
  const [isBusy, setBusy] = useState(false)
  // Only the answer to the latest request is used, and none after the screen has gone.
  const questions = useRef(0)
  const load = async (known: readonly Row[]) => {
    const question = (questions.current += 1)
    setBusy(true)
    setTrouble(undefined)
    const answer = await ask<Page>('GET', source.path(known.at(-1))).catch(refusalOf)
    if (question !== questions.current) return
    setBusy(false)
    if (!(answer instanceof Refusal)) {
      const rows = [...known, ...source.rows(answer)]
      setLoaded({ state: 'ready', data: { rows, hasMore: answer.has_more } })
      announce(`${String(rows.length)} shown`)
    } else if (known.length > 0) setTrouble(answer)
    else setLoaded({ state: 'failed', refusal: answer })
  }
  useEffect(() => {
    setLoaded({ state: 'loading' })
    void load([])
    return () => {
      questions.current += 1
    }
  }, [source.key, session.value?.session_id])
  const newest = source.refresh && source.path(undefined)
  useLive(
    newest,
    (path) => ask<Page>('GET', path),
    (page) => {
      if (loaded.state !== 'ready' || isBusy) return
      const fresh = { rows: source.rows(page), hasMore: page.has_more }
      const data = source.refresh?.(loaded.data, fresh)
      if (data && !isSame(data, loaded.data)) setLoaded({ state: 'ready', data })
    },
  )
  return {
    loaded,
    trouble,
    isBusy,
    more: () => void load(loaded.state === 'ready' ? loaded.data.rows : []),
    again: () => void load([]),
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
