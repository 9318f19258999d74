import { fingerprintOf } from '@malipo/interface/fingerprint'
import type { Cell } from '@malipo/kernel/cells'
import type { MobileRail } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Minor } from '@malipo/kernel/money'
import type { Intent, Payee, StartOutcome } from '@malipo/ledger-client/intents'
import type { Announce } from '@malipo/runtime/changes'
import type { JobQueue } from '@malipo/runtime/queue'
import type { CountryLedger } from '../cells/country-ledger'
import type { TakePromptSlot } from '../cells/prompt-slots'

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
  /** The cell is that of the payee's wallet. For a payee who accepts no payments, only a replay is answered. */
  readonly payee: Payee & { readonly cell: Cell; readonly isAccepting: boolean }
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
  readonly ledger: Pick<CountryLedger, 'startIntent'>
  readonly submitJobs: Pick<JobQueue, 'enqueue'>
  readonly announce: Announce
  /** Undefined in a country with one cell, whose ledger counts the prompts of a phone itself. */
  readonly takePromptSlot: TakePromptSlot | undefined
}

export function openStartPayment(options: StartPaymentOptions): StartPayment {
  const { ledger, submitJobs, announce, takePromptSlot } = options
  return async (request) => {
    const { phone, rail } = request
    const fingerprint = fingerprintOf({ phone, rail })
    const started = await inSlot(takePromptSlot, phone, (phoneWaitSeconds) =>
      ledger.startIntent({ ...request, fingerprint, phoneWaitSeconds }),
    )
    if (started.outcome === 'started') announce([request.checkoutId])
    return enqueueSubmit(started, submitJobs)
  }
}

export function openStartHandlePayment({
  ledger,
  submitJobs,
  takePromptSlot,
}: Pick<StartPaymentOptions, 'submitJobs' | 'takePromptSlot'> & {
  readonly ledger: Pick<CountryLedger, 'of'>
}): StartHandlePayment {
  return async (request) => {
    const { payee, amountMinor, phone, rail } = request
    const amount = String(amountMinor)
    const fingerprint = fingerprintOf({ handle: payee.handle, amount, phone, rail })
    const start = (phoneWaitSeconds: number | undefined) =>
      ledger.of(payee.cell).startHandleIntent({ ...request, fingerprint, phoneWaitSeconds })
    const started = payee.isAccepting
      ? await inSlot(takePromptSlot, phone, start)
      : await start(anyWaitSeconds).catch(refuseAsClosed)
    return enqueueSubmit(started, submitJobs)
  }
}

/** With any wait the ledger begins nothing, and still answers a replay, which it looks up first. */
const anyWaitSeconds = 1

/** Without a replay to answer, a payee who accepts no payments is the reason, whatever else refuses a new one. */
function refuseAsClosed(error: unknown): never {
  const isOfNew =
    error instanceof Fault && ['rate_limited', 'amount_outside_limits'].includes(error.reason)
  throw isOfNew ? new Fault('checkout_not_found', {}, error) : error
}

/** Starts a prompt in a slot of its phone, which is given back unless the prompt is new. */
async function inSlot(
  take: TakePromptSlot | undefined,
  phone: string,
  start: (phoneWaitSeconds: number | undefined) => Promise<Started>,
): Promise<Started> {
  if (take === undefined) return start(undefined)
  const { waitSeconds, giveBack } = await take(phone)
  const started = await start(waitSeconds).catch((error: unknown) => {
    giveBack()
    throw error
  })
  if (started.outcome !== 'started') giveBack()
  return started
}

/** The enqueue is not awaited: the row is committed, and the sweep finds it within a second if the job was lost. */
function enqueueSubmit(started: Started, submitJobs: Pick<JobQueue, 'enqueue'>): Started {
  if (started.outcome === 'started') void submitJobs.enqueue(started.intent.intentId)
  return started
}
