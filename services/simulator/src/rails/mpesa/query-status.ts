import type { BookRow } from '../../domain/book'
import type { Operation, Understood } from '../../domain/rail'
import { fieldText, type Fields } from '../wire-call'
import { twoDecimals } from './callback-body'
import { findMovement, findPayment, findReversal } from './find-payment'
import {
  isOperator,
  nextOperationIds,
  operationTexts,
  sendResult,
  acceptOperation,
  understandOperation,
} from './operation'
import { refuseField } from './refuse'
import type { Mpesa } from './state'
import { compactTime } from './times'

/** `POST /mpesa/transactionstatus/v1/query`: how a movement stands, by its receipt or by the command that made it. */
export function queryStatusOperation(mpesa: Mpesa): Operation {
  return {
    moment: 'query',
    method: 'POST',
    path: '/mpesa/transactionstatus/v1/query',
    understand: (call) =>
      understandOperation(mpesa, call, 'TransactionStatusQuery', (fields) =>
        understandStatus(mpesa, fields),
      ),
  }
}

function understandStatus(mpesa: Mpesa, fields: Fields): Understood {
  const business = fieldText(fields, 'PartyA')
  const receipt = fieldText(fields, 'TransactionID')
  const command = fieldText(fields, 'OriginalConversationID')
  if (business !== mpesa.settings.shortCode) return refuseField(mpesa, 'PartyA')
  if (receipt === '' && command === '') return refuseField(mpesa, 'TransactionID')
  return {
    kind: 'understood',
    facets: { business },
    perform() {
      const ids = nextOperationIds(mpesa)
      const row =
        receipt === ''
          ? findMovement(mpesa, ({ reference }) => reference === command)
          : findPayment(mpesa, receipt)
      const isAllowed = isOperator(mpesa, fields)
      const code = !isAllowed ? '2001' : row === undefined ? 'R000002' : '0'
      sendResult(mpesa, {
        ids,
        url: fieldText(fields, 'ResultURL'),
        code,
        text: operationTexts[code],
        transactionId: '0000000000',
        msisdn: row?.msisdn ?? '',
        amountMinor: row?.amountMinor ?? 0n,
        ...(row !== undefined && code === '0' && { parameters: standing(mpesa, row) }),
      })
      return { answer: acceptOperation(ids) }
    },
  }
}

function standing(mpesa: Mpesa, row: BookRow): Record<string, string> {
  const isReversed = row.kind !== 'reversal' && findReversal(mpesa, row.receipt) !== undefined
  return {
    ReceiptNo: row.receipt,
    TransactionStatus: isReversed ? 'Reversed' : 'Completed',
    Amount: twoDecimals(row.amountMinor),
    DebitPartyName: row.msisdn,
    InitiatedTime: compactTime(row.atMs),
    FinalisedTime: compactTime(row.atMs),
  }
}
