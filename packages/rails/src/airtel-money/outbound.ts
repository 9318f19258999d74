import { Fault } from '@malipo/kernel/errors'
import { isWholeMajor, majorText } from '@malipo/kernel/money'
import { z } from 'zod'
import { description } from '../description'
import type { Prompt } from '../rail'
import { transactionIdOf } from './transaction-id'

/** Ugandan numbers, with the country code that Airtel does not want. */
const ugandan = /^256(\d{9})$/

/** `256752123456` -> `752123456`; undefined for a number of another country. */
export function nationalNumber(phone: string): string | undefined {
  return ugandan.exec(phone)?.[1]
}

/** Airtel's amounts are JSON numbers; whole shillings up to 2^53 are exact in one. */
const wholeShillings = z.coerce.number().int().positive()

/** Our words to Airtel's (providers.md 4). */
export function payBody(prompt: Prompt, msisdn: string) {
  if (!isWholeMajor(prompt.amountMinor)) {
    throw new Fault('internal', { amountMinor: String(prompt.amountMinor) })
  }
  return {
    // A text of at most 64 characters for the payer. No payment is found by it: the transaction has an id.
    reference: `${description(prompt.payeeName, 51)} ${prompt.attemptReference}`,
    subscriber: { country: 'UG', currency: 'UGX', msisdn },
    transaction: {
      amount: wholeShillings.parse(majorText(prompt.amountMinor)),
      country: 'UG',
      currency: 'UGX',
      id: transactionIdOf(prompt.intentId),
    },
  }
}

/** What every call about a payment carries beside its token. */
export const commonHeaders = {
  accept: '*/*',
  'content-type': 'application/json',
  'x-country': 'UG',
  'x-currency': 'UGX',
}
