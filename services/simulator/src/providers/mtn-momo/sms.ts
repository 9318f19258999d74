import { majorText, type Minor } from '@malipo/kernel/money'
import type { BookRow } from '../../book/rules/book'
import type { Sms } from '../../phones/rules/phone'

/** The confirmation that payers know and keep. */
export function paidSms(row: BookRow, businessName: string, balanceMinor: Minor): Sms {
  const text = `Y'ello. You have paid UGX ${shown(row.amountMinor)} to ${businessName}. Reference ${row.account}. New balance: UGX ${shown(balanceMinor)}. Transaction ID: ${row.receipt}.`
  return { atMs: row.atMs, from: 'MTN MoMo', text }
}

export function receivedSms(row: BookRow, businessName: string, balanceMinor: Minor): Sms {
  const text = `Y'ello. You have received UGX ${shown(row.amountMinor)} from ${businessName}. Reference ${row.account}. New balance: UGX ${shown(balanceMinor)}. Transaction ID: ${row.receipt}.`
  return { atMs: row.atMs, from: 'MTN MoMo', text }
}

/** `500000n` -> `5,000`. */
function shown(minor: Minor): string {
  return majorText(minor).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
