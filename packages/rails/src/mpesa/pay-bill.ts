import { isHandle } from '@malipo/kernel/ids'
import { type Minor, paidFromMajorText } from '@malipo/kernel/money'
import type { Fact } from '@malipo/kernel/provider-fact'
import { readJson, unreadable } from '../exchange'
import type { Reader } from '../rail'
import { receiptShape } from './inbound'
import {
  anyRow,
  isPayment,
  readCompactTime,
  readPaidAt,
  payBillMessage,
  statementRow,
} from './wire'

/** Money from the Pay Bill menu, as a confirmation reports it and as the statement lists it. */
export const readPayBill: Reader = (kind, body) => {
  switch (kind) {
    case 'callback':
      return readConfirmation(readJson(body))
    case 'statement_row':
      return readRow(readJson(body))
    case 'query_answer':
      return unreadable('Pay Bill payments have no status query')
  }
}

function readConfirmation(json: unknown): Fact {
  const parsed = payBillMessage.safeParse(json)
  if (!parsed.success) return unreadable('not a Pay Bill confirmation')
  const payment = parsed.data
  return paid({
    receipt: payment.TransID,
    amountMinor: paidFromMajorText(payment.TransAmount),
    accountNumber: payment.BillRefNumber,
    paidAt: readCompactTime(payment.TransTime),
    phone: payment.MSISDN,
    thirdPartyId: payment.ThirdPartyTransID,
  })
}

function readRow(json: unknown): Fact {
  const parsed = statementRow.safeParse(json)
  if (!parsed.success) return unreadable('not a row of a statement')
  const row = parsed.data
  if (!isPayment(row)) return unreadable('a row that is no payment')
  return paid({
    receipt: row.transactionId,
    amountMinor: paidFromMajorText(row.amount),
    accountNumber: row.billreference,
    paidAt: readPaidAt(row),
    phone: wholeNumber(row.msisdn),
  })
}

/** The portal prints numbers without their calling code, too; a masked or hashed one stays as it is. */
function wholeNumber(msisdn: string): string {
  const national = /^0?([17]\d{8})$/.exec(msisdn)?.[1]
  return national === undefined ? msisdn : `254${national}`
}

/** The fields of a row that a log may have: not the phone, and not the account. */
interface LoggedRow {
  readonly type: string
  readonly receipt: string
  readonly amount: string
  readonly time: string
}

interface NoPayment extends LoggedRow {
  /** True for a type that is known to be no payment. An unknown type may still be a kind of customer's payment. */
  readonly isKnown: boolean
}

/** Describes a row whose type is not that of a customer's payment. Undefined for a payment or a row without a type. */
export function readNoPayment(body: Uint8Array): NoPayment | undefined {
  const row = loggedRow(body)
  if (row === undefined || isPayment({ transactiontype: row.type })) return undefined
  return { ...row, isKnown: /settlement/i.test(row.type) }
}

/** The fields of a row that a log may have; undefined for a body of another form. */
export function loggedRow(body: Uint8Array): LoggedRow | undefined {
  const { data } = anyRow.safeParse(readJson(body))
  if (data === undefined) return undefined
  const { transactiontype: type, transactionId: receipt, amount, trxDate: time } = data
  return { type, receipt, amount, time }
}

interface Payment {
  readonly receipt: string
  readonly amountMinor: Minor | undefined
  readonly accountNumber: string
  readonly paidAt: Date | undefined
  readonly phone: string
  readonly thirdPartyId?: string
}

/** The longest form of a phone is its SHA-256 in hex. */
const phoneLengthMax = 64

function paid(payment: Payment): Fact {
  const { receipt, amountMinor, accountNumber, paidAt, thirdPartyId = '' } = payment
  if (!receiptShape.test(receipt)) return unreadable('paid, without a receipt')
  if (amountMinor === undefined) return unreadable('paid, without an amount')
  const phone = payment.phone.slice(0, phoneLengthMax)
  return {
    kind: 'pay_bill_paid',
    receipt,
    amountMinor,
    accountNumber,
    ...(paidAt === undefined ? {} : { paidAt }),
    ...(phone === '' ? {} : { phone }),
    ...(thirdPartyId === '' ? {} : { thirdPartyId }),
  }
}

/**
 * Reads the typed account as a merchant's handle, without the surrounding spaces that phones add. Undefined for a
 * checkout's account number, which is never a handle.
 */
export function typedHandle(accountNumber: string): string | undefined {
  const typed = accountNumber.trim()
  return isHandle(typed) && !/^cs\d{8}$/i.test(typed) ? typed : undefined
}

/** Daraja's validation request, which it sends before it moves a payer's money. */
export interface PayBillQuestion {
  readonly receipt: string
  /** Undefined when the text is no amount, or zero. */
  readonly amountMinor: Minor | undefined
  readonly accountNumber: string
}

/** Reads a validation request; undefined for any other body. */
export function readPayBillQuestion(body: Uint8Array): PayBillQuestion | undefined {
  const parsed = payBillMessage.safeParse(readJson(body))
  if (!parsed.success) return undefined
  const { TransID: receipt, TransAmount, BillRefNumber: accountNumber } = parsed.data
  return { receipt, amountMinor: paidFromMajorText(TransAmount), accountNumber }
}

/** The code selects the text message that the payer gets (portal, C2B). */
const validationCodes = {
  accepted: ['0', 'Accepted'],
  unknown_account: ['C2B00012', 'Rejected'],
  wrong_amount: ['C2B00013', 'Rejected'],
  unreadable: ['C2B00016', 'Rejected'],
} as const

export type PayBillVerdict = keyof typeof validationCodes

/** Our answer to a validation request. `thirdPartyId` comes back in the confirmation. */
export function validationAnswer(verdict: PayBillVerdict, thirdPartyId?: string): object {
  const [ResultCode, ResultDesc] = validationCodes[verdict]
  const isNamed = verdict === 'accepted' && thirdPartyId !== undefined
  return { ResultCode, ResultDesc, ...(isNamed ? { ThirdPartyTransID: thirdPartyId } : {}) }
}
