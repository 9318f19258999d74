import { minorFromMajorText } from '@malipo/kernel/money'
import type { BookRow } from '../../book/rules/book'
import { receiveSms } from '../../phones/rules/phone'
import type { Understood } from '../rules/rail'
import { moveMoney } from '../../sessions/rules/world'
import { fieldText, type Fields } from '../wire-call'
import { twoDecimals, reversedSms } from './callback-body'
import { findPayment, findReversal } from './find-payment'
import { nextReceipt } from './ids'
import {
  failed,
  type OperationEnd,
  type OperationIds,
  succeeded,
  takeOrder,
  type OrderCall,
} from './operation'
import { isShortCode, isTill } from './settings'
import { refuseField } from './errors'
import type { Mpesa } from './state'
import { compactTime } from './times'

/** `POST /mpesa/reversal/v1/request`: returns a whole payment to its payer, once (providers.md 2.5). */
export const reversal: OrderCall = {
  moment: 'refund',
  path: '/mpesa/reversal/v1/request',
  commands: ['TransactionReversal'],
  understand: understandReversal,
}

function understandReversal(mpesa: Mpesa, fields: Fields): Understood {
  const amountMinor = minorFromMajorText(fieldText(fields, 'Amount'))
  const business = fieldText(fields, 'ReceiverParty')
  if (amountMinor === undefined) return refuseField(mpesa, 'Amount')
  if (!isShortCode(mpesa.settings, business)) return refuseField(mpesa, 'ReceiverParty')
  // The portal of today says 11, older documents say 4.
  if (!/^(?:11|4)$/.test(fieldText(fields, 'RecieverIdentifierType'))) {
    return refuseField(mpesa, 'RecieverIdentifierType')
  }
  const payment = findPayment(mpesa, fieldText(fields, 'TransactionID'))
  const isWhole = payment?.amountMinor === amountMinor && isTakenBy(mpesa, payment, business)
  return takeOrder(mpesa, {
    fields,
    facets: { business, amountMinor, ...(payment && { msisdn: payment.msisdn }) },
    run: (ids) => reverse(mpesa, isWhole ? payment : undefined, ids),
  })
}

/** Whether a short code may reverse a payment: one to itself, or one to the till. */
function isTakenBy({ settings }: Mpesa, payment: BookRow, business: string): boolean {
  return payment.business === business || isTill(settings, payment.business)
}

function reverse(mpesa: Mpesa, payment: BookRow | undefined, ids: OperationIds): OperationEnd {
  if (payment === undefined) return failed('R000002')
  if (findReversal(mpesa, payment.receipt) !== undefined) return failed('R000001')
  const { world } = mpesa
  if (payment.amountMinor > mpesa.balance.minor) return failed('1')
  if (world.book.isFull()) return failed('26')
  const phone = world.phones.find(payment.msisdn)
  if (phone !== undefined) phone.balanceMinor += payment.amountMinor
  mpesa.balance.minor -= payment.amountMinor
  const row = moveMoney(world, {
    receipt: nextReceipt(mpesa),
    provider: 'mpesa',
    kind: 'reversal',
    msisdn: payment.msisdn,
    business: payment.business,
    account: payment.receipt,
    amountMinor: payment.amountMinor,
    reference: ids.originatorConversationId,
  })
  if (phone !== undefined) receiveSms(phone, reversedSms(row, phone.balanceMinor))
  return succeeded(row.receipt, {
    Amount: twoDecimals(row.amountMinor),
    OriginalTransactionID: payment.receipt,
    TransCompletedTime: compactTime(row.atMs),
    CreditPartyPublicName: row.msisdn,
  })
}
