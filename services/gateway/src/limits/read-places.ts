import type { ServerResponse } from 'node:http'

/** Reads that run at once: this many keep the processors busy, and one more only delays payments. */
const atWorkMax = 48
/**
 * Reads that wait for a place. A refusal costs a fifth of a read and its client soon retries, so under overload
 * refusing all of them would answer fewer reads.
 */
const waitingMax = 2_000
/** The share of one address in the waiting reads. */
const addressMax = 400
/** A read that has waited this long is refused with 503 and a retry time. */
const waitMaxMs = 2_000

export interface Read {
  readonly response: ServerResponse
  /** The address as rate limits count it. */
  readonly address: string
  readonly begin: () => void
  readonly refuse: () => void
}

export interface ReadPlaces {
  /** Calls `begin` when there is a place, at once or later, or `refuse` when none comes in time. */
  enter(read: Read): void
}

const leaves = new WeakMap<ServerResponse, () => void>()

/** Frees the place of a request that only waits from here on. */
export function leaveReadPlace(response: ServerResponse): void {
  leaves.get(response)?.()
}

/**
 * Addresses take turns, so that one with many requests waits longer and the others do not; reads of one address run
 * in order of arrival. Reads whose client has left do not run.
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

/** The waiting reads by address. The first address is the next to run a read. */
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
    // The address goes to the end of the queue.
    if (this.#reads.delete(address)) this.#reads.set(address, ofAddress)
    return next
  }

  /** False when the read is not waiting. */
  remove(read: Read): boolean {
    const ofAddress = this.#reads.get(read.address)
    if (ofAddress?.delete(read) !== true) return false
    if (ofAddress.size === 0) this.#reads.delete(read.address)
    this.#count -= 1
    return true
  }
}

/** The place is freed when the answer is written, not when the client has read it: a slow reader must not hold it. */
function leaveAtEnd(response: ServerResponse, leave: () => void): void {
  const end = response.end.bind(response) as (...input: unknown[]) => ServerResponse
  response.end = (...input: unknown[]) => {
    leave()
    return end(...input)
  }
  response.once('close', leave)
}
