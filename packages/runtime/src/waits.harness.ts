import { stretchWaits } from './waits'

/** With this factor the shortest wait, a fifth of a second for Redis, survives a stall of ten seconds. */
const times = 50

stretchWaits(times)

/** Runs `open` with the waits of production, for tests of a timeout. */
export async function openImpatient<Opened>(open: () => Promise<Opened>): Promise<Opened> {
  stretchWaits(1)
  return open().finally(() => {
    stretchWaits(times)
  })
}
