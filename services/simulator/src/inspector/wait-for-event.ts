import type { SimEvent } from './rules/event-log'
import type { SimulationHost } from '../sessions/simulation-host'

/** Resolves with the first wanted event, or with undefined at the real-time timeout. */
export async function nextEvent(
  host: SimulationHost,
  waitMs: number,
  isWanted: (event: SimEvent) => boolean,
): Promise<SimEvent | undefined> {
  return new Promise((resolve) => {
    const end = (event?: SimEvent) => {
      clearTimeout(timer)
      stopListening()
      resolve(event)
    }
    const timer = setTimeout(end, waitMs)
    // The client may have disconnected, and the timer must not keep this process alive.
    timer.unref()
    const stopListening = host.listen((event) => {
      if (isWanted(event)) end(event)
    })
  })
}
