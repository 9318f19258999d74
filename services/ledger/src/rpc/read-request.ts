import type { AskPlacementRequest } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import { isIntentId } from '@malipo/kernel/ids'
import { isReceiptSubject } from '../domain/refund'

/** Our own processes call us, so a request that is wrong is a bug of theirs: it is refused, never repaired. */
export function readFingerprint(bytes: Buffer): Buffer {
  if (bytes.length !== 32) throw new Fault('invalid_request', { field: 'fingerprint' })
  return bytes
}

/** So many rows fit in one message, however long their texts are. */
const pageMax = 50
const searchLengthMax = 64

export function readPageLimit(limit: number): number {
  if (limit < 1 || limit > pageMax) throw new Fault('invalid_request', { field: 'limit' })
  return limit
}

/** A month of counts fits in one message, and in one look. */
const daysMax = 31

export function readDays(days: number): number {
  if (days < 1 || days > daysMax) throw new Fault('invalid_request', { field: 'days' })
  return days
}

export function readSearch(text: string): string {
  if (text.length > searchLengthMax) throw new Fault('invalid_request', { field: 'search' })
  return text
}

/** `mpesa:QK…`: the name by which operators refer to received money. */
export function readSubject(subject: string): string {
  if (!isReceiptSubject(subject)) throw new Fault('invalid_request', { field: 'subject' })
  return subject
}

/** The name of a report of payment: its receipt, or its intent where it names none. */
export function readReportSubject(subject: string): string {
  return isIntentId(subject) ? subject : readSubject(subject)
}

const noteLengthMax = 500

/** Every operator action needs a reason. */
export function readNote({ note: given }: { readonly note: string }): string {
  const note = given.trim()
  if (note === '' || note.length > noteLengthMax) {
    throw new Fault('invalid_request', { field: 'note' })
  }
  return note
}

/** The owner of held money: a checkout or the wallet of an account. */
export function readOwner(owner: AskPlacementRequest['owner']) {
  if (owner === undefined) throw new Fault('invalid_request', { field: 'owner' })
  return {
    checkoutId: owner.$case === 'checkoutId' ? owner.value : null,
    accountId: owner.$case === 'accountId' ? owner.value : null,
  }
}
