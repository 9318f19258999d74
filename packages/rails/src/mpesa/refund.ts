import { z } from 'zod'
import { majorText, paidFromMajorText } from '@malipo/kernel/money'
import type { Fact, SubmitOutcome } from '@malipo/kernel/provider-fact'
import { readJson } from '../exchange'
import type {
  RailWiring,
  Reader,
  RefundAnswer,
  RefundOrder,
  RefundQuestion,
  Refunds,
} from '../rail'
import type { Call } from './daraja'
import { receiptShape } from './inbound'
import { type ErrorMeaning, meaningOfError, meaningOfReversal } from './result-codes'
import type { MpesaOperator } from './settings'
import { errorAnswer, operationAnswer, operationResult } from './wire'

/** The direct answer to an operator's command only acknowledges it; the outcome comes later, to an address. */
const answerBytesMax = 8_192
/** Daraja wants at least two characters. */
const remarks = 'Refund'

/** Refunds by the Reversal API, and their state by Transaction Status. The outcome of either comes to an address. */
export function openRefunds(
  { shortcode, operator }: { readonly shortcode: string; readonly operator: MpesaOperator },
  call: Call,
  wiring: Pick<RailWiring, 'countEvent'>,
): Refunds {
  const signed = { Initiator: operator.initiator, SecurityCredential: operator.securityCredential }
  return {
    verdict: 'reported',
    async send(order) {
      const answer = await call(
        '/mpesa/reversal/v1/request',
        { ...signed, ...reversalBody(order, shortcode) },
        answerBytesMax,
      )
      if (answer.kind === 'lost') return { kind: 'unknown', detail: answer.detail }
      if (answer.kind === 'not_sent') return answer
      const outcome = readReversalAnswer(answer.status, answer.body)
      if (outcome.kind === 'refused') {
        const isOverRate = outcome.cause === 'busy'
        wiring.countEvent(isOverRate ? 'provider_throttled' : 'provider_misconfigured')
      }
      return outcome
    },
    async ask(question) {
      const body = { ...signed, ...statusBody(question, shortcode) }
      const answer = await call('/mpesa/transactionstatus/v1/query', body, answerBytesMax)
      if (answer.kind !== 'answered') return { kind: 'unanswered', detail: answer.detail }
      const parsed = operationAnswer.safeParse(readJson(answer.body))
      const isAsked = parsed.success && parsed.data.ResponseCode === '0'
      const request: RefundAnswer = { kind: 'asked' }
      return isAsked ? request : { kind: 'unanswered', detail: `http ${String(answer.status)}` }
    },
  }
}

function reversalBody({ receipt, amountMinor, callbackUrl }: RefundOrder, shortcode: string) {
  return {
    CommandID: 'TransactionReversal',
    TransactionID: receipt,
    Amount: majorText(amountMinor),
    ReceiverParty: shortcode,
    // This name is misspelt on the wire.
    RecieverIdentifierType: '11',
    ResultURL: callbackUrl,
    QueueTimeOutURL: callbackUrl,
    Remarks: remarks,
  }
}

/** Asks by Daraja's id of the reversal where we have it, else by the payment that was to be reversed. */
function statusBody(question: RefundQuestion, shortcode: string) {
  const { providerRequestId, receipt, answerUrl } = question
  return {
    CommandID: 'TransactionStatusQuery',
    ...(providerRequestId === undefined
      ? { TransactionID: receipt }
      : { OriginalConversationID: providerRequestId }),
    PartyA: shortcode,
    IdentifierType: '4',
    ResultURL: answerUrl,
    QueueTimeOutURL: answerUrl,
    Remarks: remarks,
  }
}

/** Only a listed error proves that the order was not taken; an answer that cannot be read leaves it open. */
function readReversalAnswer(status: number, body: Uint8Array): SubmitOutcome {
  const json = readJson(body)
  const answer = operationAnswer.safeParse(json)
  if (answer.success && answer.data.ResponseCode === '0' && status === 200) {
    return { kind: 'accepted', providerRequestId: answer.data.OriginatorConversationID }
  }
  const error = errorAnswer.safeParse(json)
  const meaning = error.success ? meaningOfError(error.data) : undefined
  if (!error.success || meaning === undefined || meaning.kind === 'processing') {
    return { kind: 'unknown', detail: `http ${String(status)}` }
  }
  return { kind: 'refused', cause: causeOf(meaning), providerCode: error.data.code }
}

/** Daraja has not read what it turns away for its rate or quota, so an operator may order that refund again. */
function causeOf(meaning: ErrorMeaning): 'busy' | 'refused' {
  const isOverQuota = meaning.kind === 'refused' && meaning.cause === 'busy'
  return meaning.kind === 'throttled' || isOverQuota ? 'busy' : 'refused'
}

/** Reads a message to the address of a refund: the verdict of the reversal, or the state of the payment. */
export const readMpesaRefund: Reader = (kind, body) => {
  const parsed = operationResult.safeParse(readJson(body))
  if (!parsed.success) return { kind: 'unreadable', detail: 'not a result of an operation' }
  return kind === 'callback' ? readVerdict(parsed.data) : readStanding(parsed.data)
}

type OperationResult = z.output<typeof operationResult>

function readVerdict(result: OperationResult): Fact {
  const { code: providerCode, originatorConversationId: providerRequestId } = result
  switch (meaningOfReversal(providerCode)) {
    case 'reversed':
      return { ...confirmedBy(result), providerRequestId }
    case 'refused':
      return { kind: 'declined', cause: 'refused', providerCode, providerRequestId }
    case undefined:
      return { kind: 'undecided', providerCode, listed: false }
  }
}

/**
 * An error in the answer is about the question. `Completed` is about the transaction of the receipt beside it, the
 * payment or the reversal: without a valid receipt it may be the payment that still stands.
 */
function readStanding(result: OperationResult): Fact {
  const state = result.parameters.get('TransactionStatus')
  const { receipt: _, ...reversed } = confirmedBy(result)
  if (result.code === '0' && state === 'Reversed') return reversed
  const receipt = result.parameters.get('ReceiptNo') ?? ''
  const isNamed = receiptShape.test(receipt)
  if (result.code === '0' && state === 'Completed' && isNamed) return { ...reversed, receipt }
  return { kind: 'undecided', providerCode: state ?? result.code, listed: result.code !== '0' }
}

function confirmedBy({ transactionId, parameters }: OperationResult) {
  const amountMinor = paidFromMajorText(parameters.get('Amount') ?? '')
  const receipt = parameters.get('ReceiptNo') ?? transactionId
  return {
    kind: 'confirmed' as const,
    ...(receipt === undefined ? {} : { receipt }),
    ...(amountMinor === undefined ? {} : { amountMinor }),
  }
}
