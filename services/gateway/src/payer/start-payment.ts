import { fingerprintOf } from '@malipo/interface/fingerprint'
import type { MobileRail } from '@malipo/kernel/countries'
import type { Minor } from '@malipo/kernel/money'
import type { Intent, Payee, StartOutcome } from '@malipo/ledger-client/intents'
import type { Ledger } from '@malipo/ledger-client/ledger'
import type { Announce } from '@malipo/runtime/changes'
import type { JobQueue } from '@malipo/runtime/queue'

interface Prompted {
  readonly idempotencyKey: string
  readonly rail: MobileRail
  /** In canonical form. */
  readonly phone: string
}

export interface PaymentRequest extends Prompted {
  readonly checkoutId: string
}

export interface HandlePaymentRequest extends Prompted {
  readonly payee: Payee
  readonly amountMinor: Minor
}

export interface Started {
  readonly intent: Intent
  readonly outcome: StartOutcome
}

/** Starts a prompt, for the JSON route and the page. */
export type StartPayment = (request: PaymentRequest) => Promise<Started>
export type StartHandlePayment = (request: HandlePaymentRequest) => Promise<Started>

export interface StartPaymentOptions {
  readonly ledger: Ledger
  readonly submitJobs: JobQueue
  readonly announce: Announce
}

export function openStartPayment(options: StartPaymentOptions): StartPayment {
  const { ledger, submitJobs, announce } = options
  return async (request) => {
    const { phone, rail } = request
    const fingerprint = fingerprintOf({ phone, rail })
    const started = await ledger.startIntent({ ...request, fingerprint })
    if (started.outcome === 'started') announce([request.checkoutId])
    return enqueueSubmit(started, submitJobs)
  }
}

export function openStartHandlePayment(ledger: Ledger, submitJobs: JobQueue): StartHandlePayment {
  return async (request) => {
    const { payee, amountMinor, phone, rail } = request
    const amount = String(amountMinor)
    const fingerprint = fingerprintOf({ handle: payee.handle, amount, phone, rail })
    return enqueueSubmit(await ledger.startHandleIntent({ ...request, fingerprint }), submitJobs)
  }
}

/** The enqueue is not awaited: the row is committed, and the sweep finds it within a second if the job was lost. */
function enqueueSubmit(started: Started, submitJobs: JobQueue): Started {
  if (started.outcome === 'started') void submitJobs.enqueue(started.intent.intentId)
  return started
}
