/** How much one simulation remembers before it refuses or forgets. */
export interface Capacity {
  /** Rows of the book: when they are used up, payments are refused. */
  readonly bookRows: number
  /** Requests for money that a rail surely remembers, ended ones included; it holds up to twice as many. */
  readonly requests: number
}

/** Measured: a row of the book takes 530 bytes, a request with what hangs on it 1,200. */
const bookRowBytes = 600
const requestBytes = 1_300
/** More than a soak test writes, and more than two minutes of a thousand requests a second. */
const most: Capacity = { bookRows: 1_000_000, requests: 120_000 }

/** What fits into a heap: a good third for the book, three tenths for requests, the rest for everything else. */
export function capacityOf(heapBytes: number): Capacity {
  return {
    bookRows: Math.min(most.bookRows, Math.floor((heapBytes * 0.35) / bookRowBytes)),
    requests: Math.min(most.requests, Math.floor((heapBytes * 0.3) / (2 * requestBytes))),
  }
}
