import { isWholeMajor, minorFromMajorText, type Minor } from '@malipo/kernel/money'
import { asFields, type Fields, fieldsAt, fieldText } from '../wire-call'
import type { Party, PayRequest } from './state'

/** What a request to pay, or to transfer, must say, and how (providers.md 3.3). */
export interface PayFields {
  readonly role: PayRequest['role']
  readonly party: Party
  /** Empty for a party without a phone. */
  readonly msisdn: string
  readonly amountMinor: Minor
  readonly currency: string
  readonly externalId: string
  readonly payerMessage: string
  readonly payeeNote: string
}

/** Undefined when MTN would answer 400, which does not say what for. */
export function readPayFields(json: unknown, role: PayFields['role']): PayFields | undefined {
  const fields = asFields(json)
  if (fields === undefined) return undefined
  const party = readParty(fieldsAt(fields, role))
  if (party === undefined) return undefined
  const amountMinor = readAmount(fields['amount'], fieldText(fields, 'currency'))
  const read = {
    role,
    party,
    msisdn: party.partyIdType === 'MSISDN' ? party.partyId : '',
    currency: fieldText(fields, 'currency'),
    externalId: fieldText(fields, 'externalId'),
    payerMessage: fieldText(fields, 'payerMessage'),
    payeeNote: fieldText(fields, 'payeeNote'),
  }
  const isGood =
    /^[A-Z]{3}$/.test(read.currency) && [read.payerMessage, read.payeeNote].every(isGoodNote)
  return isGood && amountMinor !== undefined ? { ...read, amountMinor } : undefined
}

/** A number of digits alone, or an e-mail address, which the sandbox takes. */
function readParty({ partyIdType, partyId }: Fields): Party | undefined {
  if (typeof partyId !== 'string') return undefined
  if (partyIdType === 'MSISDN' && /^\d{9,15}$/.test(partyId)) return { partyIdType, partyId }
  const isAddress = /^[^@\s]{1,64}@[^@\s]{1,64}$/.test(partyId)
  return partyIdType === 'EMAIL' && isAddress ? { partyIdType, partyId } : undefined
}

/** A string; of the shillings of Uganda a number of whole units, because there are no smaller ones. */
function readAmount(amount: unknown, currency: string): Minor | undefined {
  if (typeof amount !== 'string') return undefined
  const amountMinor = minorFromMajorText(amount)
  return amountMinor !== undefined &&
    amountMinor > 0n &&
    (currency !== 'UGX' || isWholeMajor(amountMinor))
    ? amountMinor
    : undefined
}

/** At most 160 characters; an apostrophe and its like are refused. */
function isGoodNote(note: string): boolean {
  return /^[^'"<>&;]{0,160}$/.test(note)
}
