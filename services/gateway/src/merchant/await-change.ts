import type { IncomingMessage, ServerResponse } from 'node:http'
import type { MerchantCheckout } from '@malipo/ledger-client/checkouts'
import { openSlots } from '@malipo/runtime/call-slots'
import { notableEvents } from '@malipo/runtime/metrics'
import { leaveReadPlace } from '../limits/read-places'
import { type WatchedChanges, Waker } from './waker'

/** The fallback poll: a lost announcement delays the answer by at most this long, and costs one read. */
const rereadMs = 5_000

export interface WaitRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly checkoutId: string
  readonly seconds: number
  readonly read: () => Promise<MerchantCheckout>
}

export interface Waited {
  readonly checkout: MerchantCheckout
  /** False when there was no free place, or the process is stopping. */
  readonly isApplied: boolean
}

export interface Waits {
  /**
   * Reads a checkout and holds the request until its status or that of its payment changes, for `seconds` at most. A
   * checkout that is not open is returned at once: from there only late money or a refund changes it. Faults: those of
   * `read`.
   */
  readonly awaitChange: (wait: WaitRequest) => Promise<Waited>
  /** Answers all waiting requests, and any later one at once. */
  readonly close: () => void
}

/** `max`: the most requests that wait at one time; one more is answered at once. */
export function openWaits(changes: WatchedChanges, max: number): Waits {
  const places = openSlots(max)
  const waiting = new Set<Waker>()
  let isClosed = false
  return {
    async awaitChange(wait) {
      // A client that has left already causes no close event, so its place would stay taken to the end.
      const leave = isClosed || wait.response.closed ? undefined : places.take()
      if (leave === undefined) {
        notableEvents.inc({ name: 'wait_refused' })
        return { checkout: await wait.read(), isApplied: false }
      }
      const waker = new Waker(changes)
      waiting.add(waker)
      wait.response.once('close', () => {
        waker.end()
      })
      const checkout = await untilChanged(waker, wait).finally(() => {
        waker.close()
        waiting.delete(waker)
        leave()
      })
      return { checkout, isApplied: !isClosed }
    },
    close() {
      isClosed = true
      for (const waker of waiting) waker.end()
    },
  }
}

async function untilChanged(waker: Waker, wait: WaitRequest): Promise<MerchantCheckout> {
  const { request, response, checkoutId, seconds, read } = wait
  const deadline = performance.now() + seconds * 1_000
  waker.watch(checkoutId)
  let checkout = await waker.read(read, intentIdOf)
  const first = stateOf(checkout)
  leaveReadPlace(response)
  const stalledMs = request.socket.timeout ?? 0
  // Turns the idle timeout off: neither side sends anything during the wait.
  request.socket.setTimeout(0)
  while (checkout.status === 'open' && stateOf(checkout) === first && !waker.isEnded()) {
    const leftMs = Math.ceil(deadline - performance.now())
    if (leftMs <= 0) break
    await waker.next(Math.min(leftMs, rereadMs))
    if (waker.isEnded()) break
    const before = checkout
    const isLast = performance.now() >= deadline
    // A failed read is tried again; only the failure of the last one is the answer.
    checkout = await waker.read(read, intentIdOf).catch((error: unknown) => {
      if (isLast) throw error
      return before
    })
  }
  request.socket.setTimeout(stalledMs)
  return checkout
}

const intentIdOf = ({ payment }: MerchantCheckout) => payment?.intentId

/** A new intent counts as a change, even when both intents ended with the same status. */
function stateOf({ status, payment }: MerchantCheckout): string {
  return [status, payment?.intentId, payment?.status].join(' ')
}
