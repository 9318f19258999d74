import { useCallback, useEffect, useState } from 'preact/hooks'
import { ask, type Refusal, refusalOf } from '../api'
import { session } from '../session'

export type Loaded<Data> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly data: Data }
  | { readonly state: 'failed'; readonly refusal: Refusal }

/**
 * Loads when the screen is shown and when the path or the session changes; only the latest answer is used. `show`
 * replaces the value by one that the caller has read in another way, such as with `useLive`.
 */
export function useLoad<Data>(path: string): {
  loaded: Loaded<Data>
  reload: () => void
  show: (data: Data) => void
} {
  const [loaded, setLoaded] = useState<Loaded<Data>>({ state: 'loading' })
  const [round, setRound] = useState(0)
  useEffect(() => {
    let isCurrent = true
    const answered = (next: Loaded<Data>) => {
      if (isCurrent) setLoaded(next)
    }
    ask<Data>('GET', path).then(
      (data) => {
        answered({ state: 'ready', data })
      },
      (error: unknown) => {
        answered({ state: 'failed', refusal: refusalOf(error) })
      },
    )
    return () => {
      isCurrent = false
    }
  }, [path, round, session.value?.session_id])
  const reload = useCallback(() => {
    setRound((past) => past + 1)
  }, [])
  const show = (data: Data) => {
    setLoaded({ state: 'ready', data })
  }
  return { loaded, reload, show }
}
