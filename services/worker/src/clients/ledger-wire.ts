import {
  type ApplyEvidenceRequest,
  type PayBillPaid as WirePayBillPaid,
  type Due as WireDue,
  type RecordSubmitRequest,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import { isCurrency } from '@malipo/kernel/countries'
import type { Currency } from '@malipo/kernel/money'
import type { FoundPayee } from './accounts'
import type { Fact, FailureCause, SessionOutcome, SubmitOutcome } from '@malipo/rails/rail'

/** One job, as the ledger hands it out. */
export interface Due {
  readonly job:
    | 'submit-prompt'
    | 'query-intent'
    | 'read-provider-message'
    | 'send-refund'
    | 'query-refund'
    | 'deliver-event'
  readonly id: string
}

/** The ledger's decision on a piece of evidence. */
export type EvidenceResult =
  | 'settled'
  | 'already_settled'
  | 'failed'
  | 'kept'
  | 'contradiction'
  | 'parked'

export function currencyOf(text: string): Currency | undefined {
  return isCurrency(text) ? text : undefined
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
      // The gateway finds the order by the id that we gave it.
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
  return { $case: 'refused', value: { cause: wireOf('FAILURE_CAUSE', cause), providerCode } }
}

/** A payment from the Pay Bill menu. */
export type PayBillPaid = Extract<Fact, { readonly kind: 'pay_bill_paid' }>

export function wirePaidOf(fact: PayBillPaid, payee: FoundPayee): WirePayBillPaid {
  const found = payee === 'unanswered' ? { payeeUnknown: true } : { payee, payeeUnknown: false }
  return { ...fact, ...found }
}

export function wireFactOf(fact: Fact, payee?: FoundPayee): ApplyEvidenceRequest['fact'] {
  switch (fact.kind) {
    case 'confirmed':
      return { $case: 'confirmed', value: fact }
    case 'pay_bill_paid':
      return { $case: 'payBillPaid', value: wirePaidOf(fact, payee) }
    case 'declined':
      return { $case: 'declined', value: { ...fact, cause: wireOf('FAILURE_CAUSE', fact.cause) } }
    case 'not_found':
      return { $case: 'notFound', value: { providerCode: fact.providerCode } }
    case 'undecided':
      return { $case: 'undecided', value: { providerCode: fact.providerCode } }
    case 'unreadable':
      return { $case: 'unreadable', value: { detail: fact.detail } }
  }
}

/** A job of an unknown kind is left for a newer version. */
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
