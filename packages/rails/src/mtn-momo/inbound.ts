import { paidFromMajorText } from '@malipo/kernel/money'
import type { Fact, MessageKind } from '@malipo/kernel/provider-fact'
import { receiptShapes } from '@malipo/kernel/receipt-shapes'
import type { z } from 'zod'
import { readJson, unreadable } from '../exchange'
import type { Reader } from '../rail'
import { notFound, causeOfError, causeOfReason, isListedReason } from './reason-codes'
import { errorAnswer, transaction } from './wire'
import type { PayAnswer } from '../line'

/**
 * Reads MTN's messages as facts. Two statuses are verdicts, SUCCESSFUL and FAILED; PENDING, the undocumented CREATED,
 * and any unknown ones leave the attempt as it is.
 */
export const readMtnMomo: Reader = (kind, body) => readers[kind](readJson(body))

const readers = {
  callback: (json) => readTransaction(json) ?? unreadable('not a callback of a request to pay'),
  query_answer: (json) => readTransaction(json) ?? readQueryError(json),
  statement_row: () => unreadable('MTN has no statement to read'),
} as const satisfies Record<MessageKind, (json: unknown) => Fact>

const stillOpen = new Set(['PENDING', 'CREATED'])
/** Receipts are short numbers today; longer ones are accepted, so that a new format makes no payment unreadable. */
const receiptShape = receiptShapes.mtn_momo
/** The sandbox pays in euros for every country. */
const currencies = new Set(['UGX', 'EUR'])

function readTransaction(json: unknown): Fact | undefined {
  const parsed = transaction.safeParse(json)
  if (!parsed.success) return undefined
  const { status, reason } = parsed.data
  switch (status) {
    case 'SUCCESSFUL':
      return readPaid(parsed.data)
    case 'FAILED':
      return readFailed(reason)
    default:
      return { kind: 'undecided', providerCode: status, listed: stillOpen.has(status) }
  }
}

function readPaid(paid: z.output<typeof transaction>): Fact {
  const amountMinor = paidFromMajorText(paid.amount)
  if (amountMinor === undefined) return unreadable('paid, without an amount')
  if (!currencies.has(paid.currency)) return unreadable('paid, in another currency')
  // Without a receipt it is a report of payment all the same: the payer must not pay again, and MTN is asked again.
  if (!receiptShape.test(paid.financialTransactionId)) return { kind: 'confirmed', amountMinor }
  return { kind: 'confirmed', receipt: paid.financialTransactionId, amountMinor }
}

/**
 * Only one error is about the payment: that MTN does not find it. MTN has answered this about payments that it had
 * accepted, so it is no verdict (README.md).
 */
function readQueryError(json: unknown): Fact {
  const parsed = errorAnswer.safeParse(json)
  if (!parsed.success) return unreadable('not an answer to a status query')
  const { code } = parsed.data
  if (code === notFound) return { kind: 'not_found', providerCode: code }
  return { kind: 'undecided', providerCode: code, listed: true }
}

function readFailed(reason: string): Fact {
  if (reason === '') return { kind: 'declined', cause: 'refused', providerCode: 'FAILED' }
  const declined = { kind: 'declined', cause: causeOfReason(reason), providerCode: reason } as const
  return isListedReason(reason) ? declined : { ...declined, listed: false }
}

/**
 * What MTN's answer to a request to pay says about the prompt. 202 has no body; 409 says that this reference, which is
 * ours alone, is there already. A firewall's page comes with 200, and so proves nothing.
 */
export function readPayAnswer(status: number, body: Uint8Array): PayAnswer {
  if (status === 202 || status === 409) return { kind: 'accepted' }
  const http = `http ${String(status)}`
  const error = errorAnswer.safeParse(readJson(body))
  const providerCode = error.success ? error.data.code : http
  if (status === 429) return { kind: 'throttled', providerCode }
  const cause = causeOfError(status, providerCode)
  if (cause !== undefined) return { kind: 'refused', cause, providerCode }
  return { kind: 'unknown', detail: error.success ? `${http}, ${providerCode}` : http }
}
