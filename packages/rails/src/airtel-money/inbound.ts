import { createHmac } from 'node:crypto'
import type { Fact, MessageKind } from '@malipo/kernel/provider-fact'
import { receiptShapes } from '@malipo/kernel/receipt-shapes'
import { isSameSecret } from '@malipo/contracts/same-secret'
import { readJson, unreadable } from '../exchange'
import type { Reader, SignatureCheck } from '../rail'
import {
  causeOfFailure,
  codeOf,
  isNotFound,
  causeOfRefusal,
  isDuplicate,
  isInProcess,
} from './response-codes'
import { answer, callback, enquiry, signedCallback } from './wire'
import type { PayAnswer } from '../line'

/**
 * Reads Airtel's messages as facts. TS and TF are verdicts, and TE is the verdict that the payer did not answer; TA,
 * TIP, TI and every unknown code leave the attempt as it is. No message of Airtel has an amount.
 */
export const readAirtelMoney: Reader = (kind, body) => readers[kind](readJson(body))

const readers = {
  callback: readCallback,
  query_answer: readEnquiry,
  statement_row: () => unreadable('Airtel has no statement to read'),
} as const satisfies Record<MessageKind, (json: unknown) => Fact>

const stillOpen = new Set(['TA', 'TIP', 'TI'])
/** Receipts look like `MP261120.1425.L06941` today. */
const receiptShape = receiptShapes.airtel_money

interface Transaction {
  readonly status: string
  readonly moneyId: string
  readonly responseCode: string
  readonly providerRequestId?: string
}

function readCallback(json: unknown): Fact {
  const parsed = callback.safeParse(json)
  if (!parsed.success) return unreadable('not a callback of a payment')
  const { id, status_code: status, airtel_money_id: moneyId } = parsed.data.transaction
  return verdict({ status, moneyId, responseCode: '', providerRequestId: id })
}

function readEnquiry(json: unknown): Fact {
  const parsed = enquiry.safeParse(json)
  if (!parsed.success) return readEnquiryError(json)
  const { status, airtel_money_id: moneyId } = parsed.data.data.transaction
  const responseCode = parsed.data.status?.response_code ?? ''
  return verdict({ status, moneyId, responseCode })
}

/** The status of the transaction, whatever the envelope around it says. */
function verdict({ status, moneyId, responseCode, ...rest }: Transaction): Fact {
  switch (status) {
    case 'TS':
      if (receiptShape.test(moneyId)) return { kind: 'confirmed', receipt: moneyId, ...rest }
      // Without a receipt it is still a report of payment: the payer must not pay again, and Airtel is asked again.
      return { kind: 'confirmed', ...rest }
    case 'TF':
      return { ...readFailed(responseCode), ...rest }
    case 'TE':
      return { kind: 'declined', cause: 'prompt_expired', providerCode: status, ...rest }
    default:
      return { kind: 'undecided', providerCode: status, listed: stillOpen.has(status) }
  }
}

function readFailed(responseCode: string): Fact & { readonly kind: 'declined' } {
  // A callback has no code.
  if (responseCode === '') return { kind: 'declined', cause: 'refused', providerCode: 'TF' }
  const cause = causeOfFailure(responseCode)
  const isListed = cause !== undefined
  return {
    ...{ kind: 'declined', cause: cause ?? 'refused', providerCode: responseCode },
    ...(!isListed && { listed: false }),
  }
}

/** Only the error "not found" is about the payment, and it is no verdict (README.md). */
function readEnquiryError(json: unknown): Fact {
  const parsed = answer.safeParse(json)
  if (!parsed.success) return unreadable('not an answer to an enquiry')
  const providerCode = codeOf(parsed.data)
  return isNotFound(parsed.data)
    ? { kind: 'not_found', providerCode }
    : { kind: 'undecided', providerCode, listed: true }
}

/**
 * What Airtel's answer to a payment says about the prompt. Refusals come with HTTP 200 too, and final codes come with
 * HTTP 500 and "Something Went Wrong", so a refusal needs both: a status that is no server's fault, and a listed code.
 */
export function readPayAnswer(status: number, body: Uint8Array): PayAnswer {
  const http = `http ${String(status)}`
  if (status === 429) return { kind: 'throttled', providerCode: http }
  // A refused token was already replaced once, so this is about our own credentials.
  if (status === 401) return { kind: 'refused', cause: 'refused', providerCode: http }
  const parsed = answer.safeParse(readJson(body))
  if (!parsed.success) return { kind: 'unknown', detail: http }
  if (isDuplicate(parsed.data)) return { kind: 'accepted' }
  if (status === 200 && isInProcess(parsed.data)) return { kind: 'accepted' }
  const providerCode = codeOf(parsed.data)
  const cause = readByAirtel.has(status) ? causeOfRefusal(parsed.data) : undefined
  return cause === undefined
    ? { kind: 'unknown', detail: `${http}, ${providerCode}` }
    : { kind: 'refused', cause, providerCode }
}

const readByAirtel = new Set([200, 400, 403])

/**
 * Checks `hash`: base64 of HMAC-SHA256 with the callback key. The signed bytes are undocumented; integrators use the
 * compact JSON of `transaction` in the order received. So a wrong signature is counted, and the callback is kept.
 */
export function checkSignature(body: Uint8Array, callbackKey: string | undefined): SignatureCheck {
  const parsed = signedCallback.safeParse(readJson(body))
  if (callbackKey === undefined || !parsed.success || parsed.data.hash === undefined)
    return 'absent'
  const ours = createHmac('sha256', callbackKey)
    .update(JSON.stringify(parsed.data.transaction))
    .digest()
  const theirs = Buffer.from(parsed.data.hash, 'base64')
  return isSameSecret(theirs, ours) ? 'right' : 'wrong'
}
