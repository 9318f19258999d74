import { useEffect, useRef, useState } from 'preact/hooks'
import { ask, Refusal, refusalOf } from '../api'
import { announce } from './announcer'
import type { Loaded } from './use-load'

export interface Pages<Row> {
  readonly loaded: Loaded<{ readonly rows: readonly Row[]; readonly hasMore: boolean }>
  /** Why there are no more rows yet; those that are here stay. */
  readonly trouble: Refusal | undefined
  readonly isBusy: boolean
  readonly more: () => void
  readonly again: () => void
}

/** How a list is asked for: its path, whose query ends with what comes after the last row. */
export interface PageSource<Page, Row> {
  readonly path: (lastRow: Row | undefined) => string
  readonly rows: (page: Page) => readonly Row[]
  /** What makes it another list. */
  readonly key: string
}

/** A list that grows page by page. */
export function usePages<Page extends { readonly has_more: boolean }, Row>(
  source: PageSource<Page, Row>,
): Pages<Row> {
  const [loaded, setLoaded] = useState<Pages<Row>['loaded']>({ state: 'loading' })
  const [trouble, setTrouble] = useState<Refusal>()
  const [isBusy, setBusy] = useState(false)
  // Of several questions the last one's answer counts, and none when the screen has gone.
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
  }, [source.key])
  return {
    loaded,
    trouble,
    isBusy,
    more: () => void load(loaded.state === 'ready' ? loaded.data.rows : []),
    again: () => void load([]),
  }
}
