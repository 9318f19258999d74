import { useEffect, useRef } from 'preact/hooks'
import { nextPollMs } from './live-rows'

/** A page that is not touched for this long stops reading: an unattended page must not keep its session alive. */
const untouchedMs = 60 * 60_000
const touches = ['pointerdown', 'keydown', 'visibilitychange'] as const

/** Reads a path again and again while the page is visible and in use. A failed reading only delays the next. */
export function useLive<Data>(
  path: string | undefined,
  read: (path: string) => Promise<Data>,
  show: (data: Data) => void,
): void {
  const latest = useRef(show)
  latest.current = show
  useEffect(() => {
    if (path === undefined) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let isAsking = false
    let isGone = false
    let failures = 0
    let touchedAt = Date.now()
    const isWanted = () =>
      !isGone && !document.hidden && Date.now() - touchedAt < untouchedMs && !isAsking
    const poll = async () => {
      timer = undefined
      if (!isWanted()) return
      isAsking = true
      const data = await read(path).catch(() => undefined)
      isAsking = false
      failures = data === undefined ? failures + 1 : 0
      if (isGone) return
      if (data !== undefined) latest.current(data)
      timer = setTimeout(() => void poll(), nextPollMs(failures))
    }
    const touch = () => {
      touchedAt = Date.now()
      // A page that has stopped reading, because it was hidden or not touched, reads at once.
      if (timer === undefined && isWanted()) void poll()
    }
    timer = setTimeout(() => void poll(), nextPollMs(0))
    for (const name of touches) document.addEventListener(name, touch)
    return () => {
      isGone = true
      clearTimeout(timer)
      for (const name of touches) document.removeEventListener(name, touch)
    }
  }, [path])
}
