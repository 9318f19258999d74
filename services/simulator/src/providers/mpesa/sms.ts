import type { Minor } from '@malipo/kernel/money'
import type { BookRow } from '../../book/rules/book'
import type { Sms } from '../../phones/rules/phone'
import { twoDecimals } from './callback-body'
import { smsTime } from './times'

/** The confirmation that payers know and keep. */
export function paidSms(row: BookRow, businessName: string, balanceMinor: Minor): Sms {
  // Joined, not added up: what is added up is kept in all its parts, and inboxes are many.
  const text = [
    `${row.receipt} Confirmed.`,
    `Ksh${shown(row.amountMinor)} sent to ${businessName}${accountText(row.account)}`,
    `on ${smsTime(row.atMs)}.`,
    `New M-PESA balance is Ksh${shown(balanceMinor)}.`,
  ].join(' ')
  return { atMs: row.atMs, from: 'MPESA', text }
}

/** A payment to a till has no account. */
export function accountText(account: string): string {
  return account === '' ? '' : ` for account ${account}`
}

export function reversedSms(row: BookRow, balanceMinor: Minor): Sms {
  const text = `${row.receipt} Confirmed. Reversal of transaction ${row.account} has been successfully reversed on ${smsTime(row.atMs)} and Ksh${shown(row.amountMinor)} is credited to your M-PESA account. New M-PESA account balance is Ksh${shown(balanceMinor)}.`
  return { atMs: row.atMs, from: 'MPESA', text }
}

export function receivedSms(row: BookRow, businessName: string, balanceMinor: Minor): Sms {
  const text = `${row.receipt} Confirmed. You have received Ksh${shown(row.amountMinor)} from ${businessName} on ${smsTime(row.atMs)}. New M-PESA balance is Ksh${shown(balanceMinor)}.`
  return { atMs: row.atMs, from: 'MPESA', text }
}

/** `150050n` -> `1,500.50`. */
function shown(minor: Minor): string {
  return twoDecimals(minor).replace(/\B(?=(?:\d{3})+\.)/g, ',')
}
