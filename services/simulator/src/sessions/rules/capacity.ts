/** The limits after which one simulation refuses or forgets. */
export interface Capacity {
  /** Rows of the book: when they are used up, payments are refused. */
  readonly bookRows: number
  /** Requests for money that a rail certainly remembers, ended ones included; it may remember up to twice as many. */
  readonly requests: number
  /** Events with their HTTP exchange: the oldest are dropped. */
  readonly events: number
}

/**
 * The measured size of an entry in a rail's map of requests. Daraja has four such maps, no other rail has more. Nothing
 * else needs much memory: the book is in a file, and events are dropped soon.
 */
const requestBytes = 1_300
/** The book takes a gigabyte of a temporary file; the requests are two minutes of a thousand a second. */
const most = { bookRows: 5_000_000, requests: 120_000, events: 10_000 } satisfies Capacity

/** The home session's capacity: a full map of requests takes a fifth of the heap, and each busy provider fills one. */
export function capacityOf(heapBytes: number): Capacity {
  return {
    ...most,
    requests: Math.min(most.requests, Math.floor((heapBytes * 0.2) / (2 * requestBytes))),
  }
}

/** The capacity of any other session, which is small because many test runs must fit beside each other. */
export function guestCapacity(home: Capacity): Capacity {
  return {
    bookRows: 100_000,
    requests: Math.ceil(home.requests / 32),
    events: Math.min(home.events, 1_500),
  }
}
