import {
  type ApplyEvidenceRequest,
  type Due as WireDue,
  EvidenceResult as WireResult,
  FailureCause as WireCause,
  ProviderMessageKind as WireKind,
  Rail as WireRail,
  type RecordSubmitRequest,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Rail } from '@malipo/kernel/countries'
import type { Currency } from '@malipo/kernel/money'
import type { FoundPayee } from './accounts'
import type {
  Fact,
  FailureCause,
  MessageKind,
  SessionOutcome,
  SubmitOutcome,
} from '@malipo/rails/rail'

/** One piece of work, as the ledger hands it out. */
export interface Due {
  readonly job:
    'submit-prompt' | 'query-intent' | 'read-provider-message' | 'send-refund' | 'query-refund'
  readonly id: string
}

/** What the ledger made of a piece of evidence. */
export type EvidenceResult =
  'settled' | 'already_settled' | 'failed' | 'kept' | 'contradiction' | 'parked'

/** Our words and the wire's, both ways. Total tables: a value added on either side does not compile without its row. */

export const railOf = {
  RAIL_UNSPECIFIED: undefined,
  RAIL_MPESA: 'mpesa',
  RAIL_MTN_MOMO: 'mtn_momo',
  RAIL_AIRTEL_MONEY: 'airtel_money',
  RAIL_CARD: 'card',
  RAIL_PAYBILL: 'paybill',
} as const satisfies Record<WireRail, Rail | undefined>

export const wireRailOf = {
  mpesa: WireRail.MPESA,
  mtn_momo: WireRail.MTN_MOMO,
  airtel_money: WireRail.AIRTEL_MONEY,
  card: WireRail.CARD,
  paybill: WireRail.PAYBILL,
} as const satisfies Record<Rail, WireRail>

export const kindOf = {
  PROVIDER_MESSAGE_KIND_UNSPECIFIED: undefined,
  PROVIDER_MESSAGE_KIND_CALLBACK: 'callback',
  PROVIDER_MESSAGE_KIND_QUERY_ANSWER: 'query_answer',
  PROVIDER_MESSAGE_KIND_STATEMENT_ROW: 'statement_row',
} as const satisfies Record<WireKind, MessageKind | undefined>

export const wireKindOf = {
  callback: WireKind.CALLBACK,
  query_answer: WireKind.QUERY_ANSWER,
  statement_row: WireKind.STATEMENT_ROW,
} as const satisfies Record<MessageKind, WireKind>

const wireCauseOf = {
  wrong_pin: WireCause.WRONG_PIN,
  no_funds: WireCause.NO_FUNDS,
  cancelled: WireCause.CANCELLED,
  no_answer: WireCause.NO_ANSWER,
  prompt_expired: WireCause.PROMPT_EXPIRED,
  session_open: WireCause.SESSION_OPEN,
  busy: WireCause.BUSY,
  over_limit: WireCause.OVER_LIMIT,
  not_registered: WireCause.NOT_REGISTERED,
  locked: WireCause.LOCKED,
  card_declined: WireCause.CARD_DECLINED,
  card_expired: WireCause.CARD_EXPIRED,
  card_not_authenticated: WireCause.CARD_NOT_AUTHENTICATED,
  refused: WireCause.REFUSED,
  not_started: WireCause.NOT_STARTED,
} as const satisfies Record<FailureCause, WireCause>

export const resultOf = {
  EVIDENCE_RESULT_UNSPECIFIED: 'kept',
  EVIDENCE_RESULT_SETTLED: 'settled',
  EVIDENCE_RESULT_ALREADY_SETTLED: 'already_settled',
  EVIDENCE_RESULT_FAILED: 'failed',
  EVIDENCE_RESULT_KEPT: 'kept',
  EVIDENCE_RESULT_CONTRADICTION: 'contradiction',
  EVIDENCE_RESULT_PARKED: 'parked',
} as const satisfies Record<WireResult, EvidenceResult>

export function currencyOf(text: string): Currency | undefined {
  return (['KES', 'UGX'] as const).find((known) => known === text)
}

export function wireOutcomeOf(outcome: SubmitOutcome): RecordSubmitRequest['outcome'] {
  switch (outcome.kind) {
    case 'accepted':
      return { $case: 'accepted', value: { providerRequestId: outcome.providerRequestId } }
    case 'refused':
      return refused(outcome)
    case 'not_sent':
      return { $case: 'notSent', value: { detail: outcome.detail } }
    case 'unknown':
      return { $case: 'unknown', value: { detail: outcome.detail } }
  }
}

export function wireSessionOutcomeOf(
  intentId: string,
  outcome: SessionOutcome,
): RecordSubmitRequest['outcome'] {
  switch (outcome.kind) {
    case 'opened': {
      const { sessionId, successIndicator } = outcome
      // The gateway knows the order by our own name for it.
      const value = { providerRequestId: intentId, cardSession: { sessionId, successIndicator } }
      return { $case: 'accepted', value }
    }
    case 'refused':
      return refused(outcome)
    case 'not_opened':
      return { $case: 'notSent', value: { detail: outcome.detail } }
  }
}

function refused(said: {
  readonly cause: FailureCause
  readonly providerCode: string
}): RecordSubmitRequest['outcome'] {
  const { cause, providerCode } = said
  return { $case: 'refused', value: { cause: wireCauseOf[cause], providerCode } }
}

function wirePayeeOf(payee: FoundPayee) {
  return payee === 'unanswered' ? { payeeUnknown: true } : { payee, payeeUnknown: false }
}

export function wireFactOf(fact: Fact, payee?: FoundPayee): ApplyEvidenceRequest['fact'] {
  switch (fact.kind) {
    case 'confirmed':
      return { $case: 'confirmed', value: fact }
    case 'pay_bill_paid':
      return { $case: 'payBillPaid', value: { ...fact, ...wirePayeeOf(payee) } }
    case 'declined':
      return { $case: 'declined', value: { ...fact, cause: wireCauseOf[fact.cause] } }
    case 'undecided':
      return { $case: 'undecided', value: { providerCode: fact.providerCode } }
    case 'unreadable':
      return { $case: 'unreadable', value: { detail: fact.detail } }
  }
}

/** Work of a kind that this version does not know is left for one that does. */
export function dueOf({ work }: WireDue): Due[] {
  switch (work?.$case) {
    case 'submitIntentId':
      return [{ job: 'submit-prompt', id: work.value }]
    case 'queryIntentId':
      return [{ job: 'query-intent', id: work.value }]
    case 'readMessageId':
      return [{ job: 'read-provider-message', id: work.value }]
    case 'sendRefundId':
      return [{ job: 'send-refund', id: work.value }]
    case 'queryRefundId':
      return [{ job: 'query-refund', id: work.value }]
    case undefined:
      return []
  }
}
