import { isIncoming, type BookRow } from '../../book/rules/book'
import type { Understood } from '../rules/rail'
import { fieldText, type Fields } from '../wire-call'
import { twoDecimals } from './callback-body'
import { findMovement, findReversal } from './find-payment'
import { failed, succeeded, takeOrder, type OrderCall } from './operation'
import { isShortCode } from './settings'
import { refuseField } from './errors'
import type { Mpesa } from './state'
import { compactTime } from './times'

/** `POST /mpesa/transactionstatus/v1/query`: the status of a movement, by its receipt or by the order that made it. */
export const queryStatus: OrderCall = {
  moment: 'query',
  path: '/mpesa/transactionstatus/v1/query',
  commands: ['TransactionStatusQuery'],
  understand: understandStatus,
}

function understandStatus(mpesa: Mpesa, fields: Fields): Understood {
  const business = fieldText(fields, 'PartyA')
  const receipt = fieldText(fields, 'TransactionID')
  const command = fieldText(fields, 'OriginalConversationID')
  if (!isShortCode(mpesa.settings, business)) return refuseField(mpesa, 'PartyA')
  if (receipt === '' && command === '') return refuseField(mpesa, 'TransactionID')
  const row = findMovement(mpesa, (one) =>
    receipt === '' ? one.reference === command : one.receipt === receipt,
  )
  return takeOrder(mpesa, {
    fields,
    facets: { business, ...(row && { msisdn: row.msisdn, amountMinor: row.amountMinor }) },
    run: () =>
      row === undefined ? failed('R000002') : succeeded('0000000000', standing(mpesa, row)),
  })
}

function standing(mpesa: Mpesa, row: BookRow): Record<string, string> {
  const isReversed = isIncoming(row) && findReversal(mpesa, row.receipt) !== undefined
  return {
    ReceiptNo: row.receipt,
    TransactionStatus: isReversed ? 'Reversed' : 'Completed',
    Amount: twoDecimals(row.amountMinor),
    DebitPartyName: isIncoming(row) ? row.msisdn : row.business,
    InitiatedTime: compactTime(row.atMs),
    FinalisedTime: compactTime(row.atMs),
  }
}
