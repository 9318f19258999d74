import type { ServerResponse } from 'node:http'

/** Reads at work at once: with as many the processors are busy, and one more only makes payments wait longer. */
const atWorkMax = 48
/**
 * Reads that wait for a place. A refusal costs a fifth of a read and its client soon comes again, so that under overload
 * fewer reads would be answered if all that find no place were refused at once.
 */
const waitingMax = 2_000
/** What has waited this long is told to come again. */
const waitMaxMs = 2_000

interface Waiting {
  readonly begin: () => void
  readonly refuse: () => void
}

export interface ReadPlaces {
  /** Calls `begin` when there is a place, at once or later, or `refuse` when there is none in time. */
  enter(response: ServerResponse, read: Waiting): void
}

const leaves = new WeakMap<ServerResponse, () => void>()

/** A request that only waits from here on gives its place to others before its answer. */
export function leaveReadPlace(response: ServerResponse): void {
  leaves.get(response)?.()
}

/** Reads begin in the order in which they came; what a client no longer waits for does not begin. */
export function openReadPlaces(): ReadPlaces {
  const waiting = new Map<ServerResponse, Waiting>()
  let atWork = 0

  const begin = (response: ServerResponse, read: Waiting) => {
    atWork += 1
    let hasPlace = true
    const leave = () => {
      if (!hasPlace) return
      hasPlace = false
      atWork -= 1
      beginNext()
    }
    leaves.set(response, leave)
    leaveAtEnd(response, leave)
    read.begin()
  }
  const beginNext = () => {
    const [next] = waiting
    if (next === undefined) return
    const [response, read] = next
    waiting.delete(response)
    begin(response, read)
  }
  const wait = (response: ServerResponse, read: Waiting) => {
    waiting.set(response, read)
    const late = setTimeout(() => {
      if (waiting.delete(response)) read.refuse()
    }, waitMaxMs)
    response.once('close', () => {
      clearTimeout(late)
      waiting.delete(response)
    })
  }
  return {
    enter(response, read) {
      if (atWork < atWorkMax) begin(response, read)
      else if (waiting.size < waitingMax) wait(response, read)
      else read.refuse()
    },
  }
}

/** With the answer, and not when the client has read it: a client that never reads must not keep its place. */
function leaveAtEnd(response: ServerResponse, leave: () => void): void {
  const end = response.end.bind(response) as (...input: unknown[]) => ServerResponse
  response.end = (...input: unknown[]) => {
    leave()
    return end(...input)
  }
  response.once('close', leave)
}
