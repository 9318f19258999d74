import type { ServerResponse } from 'node:http'

/** Reads at work at once: with as many the processors are busy, and one more only makes payments wait longer. */
const atWorkMax = 48
/**
 * Reads that wait for a place. A refusal costs a fifth of a read and its client soon comes again, so that under overload
 * fewer reads would be answered if all that find no place were refused at once.
 */
const waitingMax = 2_000
/** Of one address among them. */
const addressMax = 400
/** What has waited this long is told to come again. */
const waitMaxMs = 2_000

export interface Read {
  readonly response: ServerResponse
  /** As limits count it. */
  readonly address: string
  readonly begin: () => void
  readonly refuse: () => void
}

export interface ReadPlaces {
  /** Calls `begin` when there is a place, at once or later, or `refuse` when there is none in time. */
  enter(read: Read): void
}

const leaves = new WeakMap<ServerResponse, () => void>()

/** A request that only waits from here on gives its place to others before its answer. */
export function leaveReadPlace(response: ServerResponse): void {
  leaves.get(response)?.()
}

/**
 * Addresses take turns, so that one which asks for much waits longer and no other does; reads of one address begin in the
 * order in which they came. What a client no longer waits for does not begin.
 */
export function openReadPlaces(): ReadPlaces {
  const waiting = new Turns()
  let atWork = 0

  const begin = (read: Read) => {
    const { response } = read
    atWork += 1
    let hasPlace = true
    const leave = () => {
      if (!hasPlace) return
      hasPlace = false
      atWork -= 1
      const next = waiting.takeNext()
      if (next !== undefined) begin(next)
    }
    leaves.set(response, leave)
    leaveAtEnd(response, leave)
    read.begin()
  }
  const wait = (read: Read) => {
    const late = setTimeout(() => {
      if (waiting.remove(read)) read.refuse()
    }, waitMaxMs)
    read.response.once('close', () => {
      clearTimeout(late)
      waiting.remove(read)
    })
  }
  return {
    enter(read) {
      if (atWork < atWorkMax) begin(read)
      else if (waiting.add(read)) wait(read)
      else read.refuse()
    },
  }
}

/** The reads that wait, by address. The address that stands first is the next to have a read begun. */
class Turns {
  readonly #reads = new Map<string, Set<Read>>()
  #count = 0

  /** False when there is no room. */
  add(read: Read): boolean {
    const ofAddress = this.#reads.get(read.address) ?? new Set()
    if (this.#count >= waitingMax || ofAddress.size >= addressMax) return false
    this.#reads.set(read.address, ofAddress.add(read))
    this.#count += 1
    return true
  }

  takeNext(): Read | undefined {
    const [first] = this.#reads
    const [next] = first?.[1] ?? []
    if (first === undefined || next === undefined) return undefined
    const [address, ofAddress] = first
    this.remove(next)
    // Its turn comes again after those of all others.
    if (this.#reads.delete(address)) this.#reads.set(address, ofAddress)
    return next
  }

  /** False when it does not wait. */
  remove(read: Read): boolean {
    const ofAddress = this.#reads.get(read.address)
    if (ofAddress?.delete(read) !== true) return false
    if (ofAddress.size === 0) this.#reads.delete(read.address)
    this.#count -= 1
    return true
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
