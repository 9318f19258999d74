import { isWholeMajor, minorFromMajorText, type Minor } from '@malipo/kernel/money'
import { asFields, fieldsAt, fieldText } from '../wire-call'

/** What a request to pay must say, and how (providers.md 3.3). */
export interface PayFields {
  readonly msisdn: string
  readonly amountMinor: Minor
  readonly currency: string
  readonly externalId: string
  readonly payerMessage: string
  readonly payeeNote: string
}

/** Undefined when MTN would answer 400, which does not say what for. */
export function readPayFields(json: unknown): PayFields | undefined {
  const fields = asFields(json)
  if (fields === undefined) return undefined
  const { partyIdType, partyId } = fieldsAt(fields, 'payer')
  const amountMinor = readAmount(fields['amount'])
  const read = {
    msisdn: typeof partyId === 'string' ? partyId : '',
    currency: fieldText(fields, 'currency'),
    externalId: fieldText(fields, 'externalId'),
    payerMessage: fieldText(fields, 'payerMessage'),
    payeeNote: fieldText(fields, 'payeeNote'),
  }
  const isGood =
    partyIdType === 'MSISDN' &&
    /^\d{9,15}$/.test(read.msisdn) &&
    /^[A-Z]{3}$/.test(read.currency) &&
    [read.payerMessage, read.payeeNote].every(isGoodNote)
  return isGood && amountMinor !== undefined ? { ...read, amountMinor } : undefined
}

/** A string, and a number of whole units: UGX has no smaller ones. */
function readAmount(amount: unknown): Minor | undefined {
  if (typeof amount !== 'string') return undefined
  const amountMinor = minorFromMajorText(amount)
  return amountMinor !== undefined && amountMinor > 0n && isWholeMajor(amountMinor)
    ? amountMinor
    : undefined
}

/** At most 160 characters; an apostrophe and its like are refused. */
function isGoodNote(note: string): boolean {
  return /^[^'"<>&;]{0,160}$/.test(note)
}
