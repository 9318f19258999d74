import type { IncomingMessage, ServerResponse } from 'node:http'
import { openSlots } from '@malipo/runtime/call-slots'
import type { Changes } from '@malipo/runtime/changes'
import { notableEvents } from '@malipo/runtime/metrics'
import type { MerchantCheckout } from '../clients/checkout'
import { leaveReadPlace } from './read-places'
import { Waker } from './waker'

/** An announcement that is lost costs a waiting request this long, and the ledger one read in it. */
const rereadMs = 5_000

export interface AskedWait {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly checkoutId: string
  readonly seconds: number
  readonly read: () => Promise<MerchantCheckout>
}

export interface Waited {
  readonly checkout: MerchantCheckout
  /** False when the request found no room to wait, or was answered because the process stops. */
  readonly isApplied: boolean
}

export interface Waits {
  /**
   * Reads a checkout and holds the request until its status or that of its payment changes, for `seconds` at most.
   * A checkout that is not open is answered at once: there is nothing left to wait for. Faults: those of `read`.
   */
  readonly awaitChange: (asked: AskedWait) => Promise<Waited>
  /** Answers all requests that wait, and each one that comes later at once. */
  readonly close: () => void
}

/** `max`: requests that wait at the same time; one more is answered at once. */
export function openWaits(changes: Pick<Changes, 'watch'>, max: number): Waits {
  const places = openSlots(max)
  const waiting = new Set<Waker>()
  let isClosed = false
  return {
    async awaitChange(asked) {
      // A client that left before this emits no further event, and would hold its place to the end.
      const leave = isClosed || asked.response.closed ? undefined : places.take()
      if (leave === undefined) {
        notableEvents.inc({ name: 'wait_refused' })
        return { checkout: await asked.read(), isApplied: false }
      }
      const waker = new Waker(changes)
      waiting.add(waker)
      asked.response.once('close', () => {
        waker.end()
      })
      const checkout = await untilChanged(waker, asked).finally(() => {
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

async function untilChanged(waker: Waker, asked: AskedWait): Promise<MerchantCheckout> {
  const { request, response, checkoutId, seconds, read } = asked
  const deadline = performance.now() + seconds * 1_000
  waker.watch(checkoutId)
  let checkout = await read()
  const first = stateOf(checkout)
  leaveReadPlace(response)
  const stalledMs = request.socket.timeout ?? 0
  // The client has nothing to send and nothing to read while it waits.
  request.socket.setTimeout(0)
  while (checkout.status === 'open' && stateOf(checkout) === first && !waker.isEnded()) {
    // What was announced of an intent before it was watched is read once more.
    const isNew = checkout.payment !== undefined && waker.watch(checkout.payment.intentId)
    const leftMs = Math.ceil(deadline - performance.now())
    if (!isNew && leftMs <= 0) break
    if (!isNew) await waker.next(Math.min(leftMs, rereadMs))
    if (waker.isEnded()) break
    const before = checkout
    const isLast = performance.now() >= deadline
    // A read that fails is made again, until the last one, whose failure is the answer.
    checkout = await read().catch((error: unknown) => {
      if (isLast) throw error
      return before
    })
  }
  request.socket.setTimeout(stalledMs)
  return checkout
}

/** A change of attempt is a change of the status of the payment, even when both attempts ended alike. */
function stateOf({ status, payment }: MerchantCheckout): string {
  return [status, payment?.intentId, payment?.status].join(' ')
}
