import { paidFromMajorText } from '@malipo/kernel/money'
import type { Fact, MessageKind, SubmitOutcome } from '@malipo/kernel/provider-fact'
import { receiptShapes } from '@malipo/kernel/receipt-shapes'
import { readJson, unreadable } from '../exchange'
import type { Reader } from '../rail'
import { isNotFound, meaningOfError, meaningOfResult } from './result-codes'
import {
  readCompactTime,
  readPaidAt,
  callback,
  errorAnswer,
  isPayment,
  queryAnswer,
  statementRow,
  type ErrorAnswer,
  pushAnswer,
} from './wire'
import type { Throttled } from '../line'

/**
 * Maps Daraja's messages to facts. Nothing here decides about money: the ledger evaluates the facts.
 */
export const readMpesa: Reader = (kind, body) => readers[kind](readJson(body))

const readers = {
  callback: readCallback,
  query_answer: readQueryAnswer,
  statement_row: readStatementRow,
} as const satisfies Record<MessageKind, (json: unknown) => Fact>

/** Receipts have ten characters today; longer ones are accepted, so that a new format makes no payment unreadable. */
export const receiptShape = receiptShapes.mpesa

function readCallback(json: unknown): Fact {
  const parsed = callback.safeParse(json)
  if (!parsed.success) return unreadable('not an STK callback')
  const {
    CheckoutRequestID: providerRequestId,
    ResultCode,
    CallbackMetadata: items,
  } = parsed.data.Body.stkCallback
  if (meaningOfResult(ResultCode) !== 'paid') return verdict(ResultCode, providerRequestId)
  const receipt = items.get('MpesaReceiptNumber') ?? ''
  const amountMinor = paidFromMajorText(items.get('Amount') ?? '')
  // Without a receipt or an amount it is still a report of payment: the payer must not pay again, and Daraja is asked.
  return confirmed({
    ...(receiptShape.test(receipt) ? { receipt } : {}),
    ...(amountMinor === undefined ? {} : { amountMinor }),
    paidAt: readCompactTime(items.get('TransactionDate') ?? ''),
    providerRequestId,
  })
}

function readQueryAnswer(json: unknown): Fact {
  const parsed = queryAnswer.safeParse(json)
  if (!parsed.success) return readQueryError(json)
  const { ResponseCode, ResultCode, CheckoutRequestID: providerRequestId } = parsed.data
  // Anything but "0" is about the question, not about the payment.
  if (ResponseCode !== '0') return { kind: 'undecided', providerCode: ResponseCode, listed: false }
  if (meaningOfResult(ResultCode) === 'paid') return confirmed({ providerRequestId })
  return verdict(ResultCode, providerRequestId)
}

/** An error is never a verdict: one of them even means "please wait". */
function readQueryError(json: unknown): Fact {
  const parsed = errorAnswer.safeParse(json)
  if (!parsed.success) return unreadable('not an answer to a status query')
  const { code: providerCode } = parsed.data
  return isNotFound(parsed.data)
    ? { kind: 'not_found', providerCode }
    : { kind: 'undecided', providerCode, listed: true }
}

function readStatementRow(json: unknown): Fact {
  const parsed = statementRow.safeParse(json)
  if (!parsed.success) return unreadable('not a row of a statement')
  if (!isPayment(parsed.data)) return unreadable('a row that is no payment')
  const amountMinor = paidFromMajorText(parsed.data.amount)
  if (!receiptShape.test(parsed.data.transactionId)) return unreadable('a row without a receipt')
  if (amountMinor === undefined) return unreadable('a row without an amount')
  return confirmed({
    receipt: parsed.data.transactionId,
    amountMinor,
    paidAt: readPaidAt(parsed.data),
  })
}

/** Reads a result code other than "paid". */
function verdict(providerCode: string, providerRequestId: string): Fact {
  const meaning = meaningOfResult(providerCode)
  if (meaning === undefined || meaning === 'paid' || meaning === 'processing') {
    return { kind: 'undecided', providerCode, listed: meaning !== undefined }
  }
  return { kind: 'declined', cause: meaning, providerCode, providerRequestId }
}

type Confirmed = Extract<Fact, { kind: 'confirmed' }>

function confirmed(
  claims: Omit<Confirmed, 'kind' | 'paidAt'> & { readonly paidAt?: Date | undefined },
): Confirmed {
  const { paidAt, ...rest } = claims
  return { kind: 'confirmed', ...rest, ...(paidAt === undefined ? {} : { paidAt }) }
}

/**
 * What Daraja's answer to a push says about the prompt. Only a listed error proves that the payer is not prompted;
 * whatever cannot be read, from an opaque 500 to a firewall's HTML, leaves it open.
 */
export function readPushAnswer(status: number, body: Uint8Array): SubmitOutcome | Throttled {
  const json = readJson(body)
  const answer = pushAnswer.safeParse(json)
  if (answer.success && answer.data.ResponseCode === '0' && status === 200) {
    return { kind: 'accepted', providerRequestId: answer.data.CheckoutRequestID }
  }
  const error = errorAnswer.safeParse(json)
  if (!error.success) return { kind: 'unknown', detail: `http ${String(status)}` }
  return readPushError(status, error.data)
}

function readPushError(status: number, error: ErrorAnswer): SubmitOutcome | Throttled {
  const providerCode = error.code
  const meaning = meaningOfError(error)
  switch (meaning?.kind) {
    case 'refused':
      return { kind: 'refused', cause: meaning.cause, providerCode }
    case 'throttled':
      return { kind: 'throttled', providerCode }
    case 'token_refused':
      // The client has already tried a fresh token, so this is about our own credentials.
      return { kind: 'refused', cause: 'refused', providerCode }
    case 'processing':
    case undefined:
      return { kind: 'unknown', detail: `http ${String(status)}, ${providerCode}` }
  }
}
