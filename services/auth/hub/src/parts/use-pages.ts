import { useEffect, useState } from 'preact/hooks'
import { ask, refusalOf } from '../api'
import { announce } from './announcer'
import type { Loaded } from './use-load'

export interface Pages<Row> {
  readonly loaded: Loaded<{ readonly rows: readonly Row[]; readonly hasMore: boolean }>
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
  const [isBusy, setBusy] = useState(false)
  const load = async (known: readonly Row[], isCurrent: () => boolean = () => true) => {
    setBusy(true)
    const next = await ask<Page>('GET', source.path(known.at(-1))).then(
      (page): Pages<Row>['loaded'] => {
        const rows = [...known, ...source.rows(page)]
        return { state: 'ready', data: { rows, hasMore: page.has_more } }
      },
      (error: unknown): Pages<Row>['loaded'] => ({
        state: 'failed',
        refusal: refusalOf(error),
      }),
    )
    if (!isCurrent()) return
    setBusy(false)
    setLoaded(next)
    if (next.state === 'ready') announce(`${String(next.data.rows.length)} shown`)
  }
  useEffect(() => {
    let isCurrent = true
    setLoaded({ state: 'loading' })
    void load([], () => isCurrent)
    return () => {
      isCurrent = false
    }
  }, [source.key])
  return {
    loaded,
    isBusy,
    more: () => void load(loaded.state === 'ready' ? loaded.data.rows : []),
    again: () => void load([]),
  }
}
