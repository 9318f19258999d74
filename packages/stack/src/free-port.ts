import { randomInt } from 'node:crypto'
import { autoRange, isFree } from './ports'

const triesMax = 50

/** A free port of the loopback address, in a range from which no outgoing connection takes it before it is used. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const port = randomInt(autoRange.from, autoRange.to)
    if (await isFree(port)) return port
  }
  const { from, to } = autoRange
  throw new Error(`Found no free port between ${String(from)} and ${String(to)}`)
}
