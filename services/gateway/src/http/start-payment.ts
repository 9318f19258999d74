import { fingerprintOf } from '@malipo/interface/fingerprint'
import type { MobileRail } from '@malipo/kernel/countries'
import type { Bell } from '@malipo/runtime/queue'
import type { Intent, StartOutcome } from '../clients/checkout'
import type { Ledger } from '../clients/ledger'

export interface PaymentRequest {
  readonly checkoutId: string
  readonly idempotencyKey: string
  readonly rail: MobileRail
  /** Canonical. */
  readonly phone: string
}

/** Asks for a prompt, from the JSON route and from the page alike. */
export type StartPayment = (
  request: PaymentRequest,
) => Promise<{ intent: Intent; outcome: StartOutcome }>

export function openStartPayment(ledger: Ledger, submitBell: Bell): StartPayment {
  return async (request) => {
    const { phone, rail } = request
    const fingerprint = fingerprintOf({ phone, rail })
    const started = await ledger.startIntent({ ...request, fingerprint })
    // Nobody waits for the bell: the row is committed, and the sweep finds it a second later if nobody heard.
    if (started.outcome === 'started') void submitBell.ring(started.intent.intentId)
    return started
  }
}
