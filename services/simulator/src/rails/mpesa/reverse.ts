import { minorFromMajorText } from '@malipo/kernel/money'
import type { BookRow } from '../../domain/book'
import { receiveSms } from '../../domain/phone'
import type { Operation, Understood } from '../../domain/rail'
import { shownFacets } from '../../domain/world'
import { fieldText, type Fields } from '../wire-call'
import { twoDecimals } from './callback-body'
import { findPayment, findReversal } from './find-payment'
import { nextReceipt } from './ids'
import {
  isOperator,
  nextOperationIds,
  type OperationEnd,
  type OperationIds,
  operationTexts,
  sendResult,
  acceptOperation,
  understandOperation,
} from './operation'
import { refuseField } from './refuse'
import { reversedSms } from './sms'
import type { Mpesa } from './state'
import { compactTime } from './times'

/** `POST /mpesa/reversal/v1/request`: the whole of a payment goes back to its payer, once (providers.md 2.5). */
export function reverseOperation(mpesa: Mpesa): Operation {
  return {
    moment: 'refund',
    method: 'POST',
    path: '/mpesa/reversal/v1/request',
    understand: (call) =>
      understandOperation(mpesa, call, 'TransactionReversal', (fields) =>
        understandReversal(mpesa, fields),
      ),
  }
}

function understandReversal(mpesa: Mpesa, fields: Fields): Understood {
  const amountMinor = minorFromMajorText(fieldText(fields, 'Amount'))
  const business = fieldText(fields, 'ReceiverParty')
  if (amountMinor === undefined) return refuseField(mpesa, 'Amount')
  if (business !== mpesa.settings.shortCode) return refuseField(mpesa, 'ReceiverParty')
  // 11 in the portal of today, 4 in older documents.
  if (!/^(?:11|4)$/.test(fieldText(fields, 'RecieverIdentifierType'))) {
    return refuseField(mpesa, 'RecieverIdentifierType')
  }
  const payment = findPayment(mpesa, fieldText(fields, 'TransactionID'))
  return {
    kind: 'understood',
    facets: { business, amountMinor, ...(payment && { msisdn: payment.msisdn }) },
    perform() {
      const ids = nextOperationIds(mpesa)
      const isWhole = payment?.amountMinor === amountMinor
      const end = isOperator(mpesa, fields)
        ? reverse(mpesa, isWhole ? payment : undefined, ids)
        : failed('2001')
      sendResult(mpesa, {
        ...{ ids, amountMinor, url: fieldText(fields, 'ResultURL') },
        msisdn: payment?.msisdn ?? '',
        ...end,
      })
      return { answer: acceptOperation(ids) }
    },
  }
}

type End = Pick<OperationEnd, 'code' | 'text' | 'transactionId' | 'parameters'>

function failed(code: keyof typeof operationTexts): End {
  return { code, text: operationTexts[code], transactionId: '0000000000' }
}

function reverse(mpesa: Mpesa, payment: BookRow | undefined, ids: OperationIds): End {
  if (payment === undefined) return failed('R000002')
  if (findReversal(mpesa, payment.receipt) !== undefined) return failed('R000001')
  const { world, settings } = mpesa
  const phone = world.phones.find(payment.msisdn)
  if (phone !== undefined) phone.balanceMinor += payment.amountMinor
  const row = world.book.write({
    receipt: nextReceipt(mpesa),
    provider: 'mpesa',
    kind: 'reversal',
    msisdn: payment.msisdn,
    business: settings.shortCode,
    account: payment.receipt,
    amountMinor: payment.amountMinor,
    reference: ids.originatorConversationId,
  })
  world.events.append('money_moved', {
    ...shownFacets(row),
    receipt: row.receipt,
    reference: row.reference,
  })
  if (phone !== undefined) receiveSms(phone, reversedSms(row, phone.balanceMinor))
  return {
    code: '0',
    text: operationTexts[0],
    transactionId: row.receipt,
    parameters: {
      Amount: twoDecimals(row.amountMinor),
      OriginalTransactionID: payment.receipt,
      TransCompletedTime: compactTime(row.atMs),
      CreditPartyPublicName: row.msisdn,
    },
  }
}
