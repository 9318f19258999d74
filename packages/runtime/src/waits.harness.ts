import { stretchWaits } from './waits'

/** The shortest wait, a fifth of a second for Redis, outlasts a stall of the machine of ten. */
const times = 50

stretchWaits(times)

/** Opens a service that waits no longer than in production: for tests of a wait that ends. */
export async function openImpatient<Opened>(open: () => Promise<Opened>): Promise<Opened> {
  stretchWaits(1)
  return open().finally(() => {
    stretchWaits(times)
  })
}
