import { isWholeMajor, minorFromMajorText, type Minor } from '@malipo/kernel/money'
import { asFields, type Fields, fieldsAt, fieldText } from '../wire-call'
import type { Party, PayRequest } from './state'

/** The fields of a request to pay, or to transfer, once they were checked (providers.md 3.3). */
export interface PayFields
  extends
    Pick<PayRequest, 'role' | 'party' | 'msisdn' | 'amountMinor' | 'currency'>,
    Pick<PayRequest, 'payerMessage' | 'payeeNote'> {
  readonly externalId: string
}

/** Undefined when MTN would answer 400; that answer does not name the bad field. */
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

/** An amount is a string. Ugandan shillings must be whole, because there is no smaller unit. */
function readAmount(amount: unknown, currency: string): Minor | undefined {
  if (typeof amount !== 'string') return undefined
  const amountMinor = minorFromMajorText(amount)
  return amountMinor !== undefined &&
    amountMinor > 0n &&
    (currency !== 'UGX' || isWholeMajor(amountMinor))
    ? amountMinor
    : undefined
}

/** Whether a note has at most 160 characters, and no quotes, angle brackets, ampersands and semicolons. */
function isGoodNote(note: string): boolean {
  return /^[^'"<>&;]{0,160}$/.test(note)
}
