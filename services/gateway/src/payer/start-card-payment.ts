import { type CardPayer, sealPayer } from '@malipo/contracts/card-payer'
import { fingerprintOf } from '@malipo/interface/fingerprint'
import type { IntentStatus } from '@malipo/interface/fields'
import { Fault } from '@malipo/kernel/errors'
import type { CardPayment } from '@malipo/ledger-client/cards'
import type { StartOutcome } from '@malipo/ledger-client/intents'
import type { Ledger } from '@malipo/ledger-client/ledger'
import type { Announce } from '@malipo/runtime/changes'
import type { JobQueue } from '@malipo/runtime/queue'
import type { CountryLedger } from '../cells/country-ledger'

export interface CardPaymentRequest {
  readonly checkoutId: string
  readonly idempotencyKey: string
  readonly payer: CardPayer
}

/** Starts a card payment, for the JSON route and the page. */
export type StartCardPayment = (
  request: CardPaymentRequest,
) => Promise<{ payment: CardPayment; outcome: StartOutcome }>

export interface StartCardPaymentOptions {
  readonly ledger: Pick<CountryLedger, 'readCheckout' | 'startCardIntent'>
  readonly submitJobs: Pick<JobQueue, 'enqueue'>
  readonly announce: Announce
  /** Encrypts the payer's data for the card gateway. Absent where no card gateway is configured. */
  readonly cardPayerKey: Buffer | undefined
}

export function openStartCardPayment(options: StartCardPaymentOptions): StartCardPayment {
  const { ledger, submitJobs, announce, cardPayerKey } = options
  return async ({ payer, ...request }) => {
    if (cardPayerKey === undefined) return refuse(ledger, request.checkoutId)
    const { name, email, phone } = payer
    const started = await ledger.startCardIntent({
      ...request,
      phone,
      fingerprint: fingerprintOf({ name, email, phone }),
      sealedPayer: isEmpty(payer) ? undefined : sealPayer(cardPayerKey, payer),
    })
    if (started.outcome !== 'started') return started
    announce([request.checkoutId])
    // The enqueue is not awaited: the row is committed, and the sweep finds it within a second if the job was lost.
    void submitJobs.enqueue(started.payment.intent.intentId)
    return started
  }
}

/** Refuses a card where there is no card gateway, in the order of refusals of a host that has one. */
async function refuse(
  ledger: Pick<CountryLedger, 'readCheckout'>,
  checkoutId: string,
): Promise<never> {
  const { status } = await ledger.readCheckout(checkoutId)
  throw new Fault(status === 'completed' ? 'checkout_paid' : 'card_off', { checkoutId })
}

function isEmpty(payer: CardPayer): boolean {
  return Object.values(payer).every((value) => value === undefined)
}

/** Waits for the page that the worker opens, as long as a payer would wait without doubt. */
export type AwaitCardPage = (checkoutId: string, payment: CardPayment) => Promise<CardPayment>

/** Some four seconds in all: a card gateway opens a page in less than one. */
const waitsMs = [50, 100, 150, 200, 250, 250, 500, 500, 500, 500, 500, 500]

export function openAwaitCardPage(
  ledger: Pick<Ledger, 'readCardPayment'>,
  wait: (milliseconds: number) => Promise<void>,
): AwaitCardPage {
  return async (checkoutId, started) => {
    let payment = started
    for (const waitMs of waitsMs) {
      if (payment.opened !== undefined || !isOnItsWay(payment.intent.status)) return payment
      await wait(waitMs)
      const { intentId } = payment.intent
      const read = await ledger.readCardPayment(checkoutId, intentId).catch(undefinedIfUnavailable)
      if (read === undefined) return payment
      payment = read
    }
    return payment
  }
}

/** The payment has begun: a read without a free place must not refuse it. */
function undefinedIfUnavailable(error: unknown): undefined {
  if (error instanceof Fault && error.reason === 'ledger_unavailable') return undefined
  throw error
}

function isOnItsWay(status: IntentStatus): boolean {
  return status === 'created' || status === 'reserved' || status === 'submitted'
}
