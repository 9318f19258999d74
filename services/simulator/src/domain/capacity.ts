/** How much one simulation remembers before it refuses or forgets. */
export interface Capacity {
  /** Rows of the book: when they are used up, payments are refused. */
  readonly bookRows: number
  /** Requests for money that a rail surely remembers, ended ones included; it holds up to twice as many. */
  readonly requests: number
  /** Events with what went over the wire: the oldest are forgotten. */
  readonly events: number
}

/** Measured: a request with what hangs on it. The book lies in a file, and an event is forgotten soon. */
const requestBytes = 1_300
/** A gigabyte of a temporary file, and more than two minutes of a thousand requests a second. */
const most = { bookRows: 5_000_000, requests: 120_000, events: 10_000 } satisfies Capacity

/** What the home session may take of a heap: a fifth for requests of each provider that is busy. */
export function capacityOf(heapBytes: number): Capacity {
  return {
    ...most,
    requests: Math.min(most.requests, Math.floor((heapBytes * 0.2) / (2 * requestBytes))),
  }
}

/** A session beside it is one test run: many of them must fit. */
export function guestCapacity(home: Capacity): Capacity {
  return {
    bookRows: 100_000,
    requests: Math.ceil(home.requests / 32),
    events: Math.min(home.events, 1_500),
  }
}
