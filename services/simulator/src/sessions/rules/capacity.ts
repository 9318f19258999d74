/** The limits after which one simulation refuses or forgets. */
export interface Capacity {
  /** Rows of the book: when they are used up, payments are refused. */
  readonly bookRows: number
  /** Requests for money that a rail certainly remembers, ended ones included; it holds up to twice as many. */
  readonly requests: number
  /** Events with their HTTP exchange: the oldest are dropped. */
  readonly events: number
}

/** Measured size of one entry of a rail's map of requests; Daraja has four such maps, the others fewer. The book is in a file, and events are dropped soon. */
const requestBytes = 1_300
/** A gigabyte of a temporary file, and more than two minutes of a thousand requests a second. */
const most = { bookRows: 5_000_000, requests: 120_000, events: 10_000 } satisfies Capacity

/** The home session's share of the heap: a fifth for each map of requests that is full, as one is of each busy provider. */
export function capacityOf(heapBytes: number): Capacity {
  return {
    ...most,
    requests: Math.min(most.requests, Math.floor((heapBytes * 0.2) / (2 * requestBytes))),
  }
}

/** Guest sessions are single test runs: many must fit. */
export function guestCapacity(home: Capacity): Capacity {
  return {
    bookRows: 100_000,
    requests: Math.ceil(home.requests / 32),
    events: Math.min(home.events, 1_500),
  }
}
