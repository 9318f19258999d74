import { majorText, type Minor } from '@malipo/kernel/money'
import type { BookRow } from '../../book/rules/book'
import { pick } from '../../sessions/rules/draw'
import type { Result } from './result-codes'
import type { Push } from './state'
import { compactTime, smsTime } from './times'
import type { Sms } from '../../phones/rules/phone'

/**
 * The body that Daraja posts (providers.md 1.4), which lacks the AccountReference. The seed chooses among the variants
 * that were seen in real callbacks: no Balance, a Balance without a value, another order, 1 or 1.00. The body is put
 * together as text, because JSON.stringify writes the number 1 but not 1.00.
 */
export function callbackBody(
  seed: string,
  push: Push,
  result: Result,
  paid: BookRow | undefined,
): string {
  const members = [
    member('MerchantRequestID', JSON.stringify(push.merchantRequestId)),
    member('CheckoutRequestID', JSON.stringify(push.checkoutRequestId)),
    member('ResultCode', codeOnWire(result.code)),
    member('ResultDesc', JSON.stringify(result.text)),
  ]
  if (paid) members.push(`"CallbackMetadata":{"Item":[${itemsOf(seed, paid).join(',')}]}`)
  return `{"Body":{"stkCallback":{${members.join(',')}}}}`
}

function member(name: string, json: string): string {
  return `"${name}":${json}`
}

/** A JSON number, except for `SFC_IC0003`, which is text. */
function codeOnWire(code: string): string {
  return /^\d+$/.test(code) ? code : JSON.stringify(code)
}

function itemsOf(seed: string, paid: BookRow): readonly string[] {
  const amount = item('Amount', amountOnWire(seed, paid))
  const receipt = item('MpesaReceiptNumber', JSON.stringify(paid.receipt))
  const date = item('TransactionDate', compactTime(paid.atMs))
  const phone = item('PhoneNumber', paid.msisdn)
  switch (pick(seed, `items ${paid.receipt}`, ['newest', 'empty balance', 'reversed'])) {
    case 'empty balance':
      return [amount, receipt, '{"Name":"Balance"}', date, phone]
    case 'reversed':
      return [phone, date, receipt, amount]
    default:
      return [amount, receipt, date, phone]
  }
}

function item(name: string, json: string): string {
  return `{"Name":"${name}","Value":${json}}`
}

function amountOnWire(seed: string, paid: BookRow): string {
  const { amountMinor, receipt } = paid
  return pick(seed, `amount ${receipt}`, [majorText(amountMinor), twoDecimals(amountMinor)])
}

/** `100n` -> `1.00`. */
export function twoDecimals(minor: Minor): string {
  const text = majorText(minor)
  return text.includes('.') ? text : `${text}.00`
}

export function paidSms(row: BookRow, businessName: string, balanceMinor: Minor): Sms {
  // `join` copies the text. A text made by `+` keeps all its parts in memory, and there are many inboxes.
  const text = [
    `${row.receipt} Confirmed.`,
    `Ksh${shown(row.amountMinor)} sent to ${businessName}${accountText(row.account)}`,
    `on ${smsTime(row.atMs)}.`,
    `New M-PESA balance is Ksh${shown(balanceMinor)}.`,
  ].join(' ')
  return { atMs: row.atMs, from: 'MPESA', text }
}

/** The words of an SMS that name the account; empty for a payment to a till, which has no account. */
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
