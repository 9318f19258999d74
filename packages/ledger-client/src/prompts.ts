import type {
  Prompt as WirePrompt,
  Query as WireQuery,
  RecordSubmitRequest,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { present } from '@malipo/contracts/present'
import { wireOf, wordOf } from '@malipo/contracts/wire-words'
import type { Rail } from '@malipo/kernel/countries'
import type { Currency, Minor } from '@malipo/kernel/money'
import type { ProviderCause, SessionOutcome, SubmitOutcome } from '@malipo/kernel/provider-fact'
import { currencyOf } from './amounts'
import type { LedgerConnection } from './connection'
import { retried } from './retried'

export interface Prompt {
  /** The account that receives the money. */
  readonly accountId: string
  readonly rail: Rail
  readonly phone: string
  readonly amountMinor: Minor
  readonly attemptReference: string
  readonly callbackToken: string
  /** For a card intent only. */
  readonly card: CardPrompt | undefined
}

/** The order to open a card page: a card intent has it, because no prompt is sent for it. */
export interface CardPrompt {
  readonly checkoutId: string
  readonly totalMinor: Minor
  readonly currency: Currency
  readonly lifeSeconds: number
  /** The payer's encrypted data for the card gateway. */
  readonly sealedPayer: Buffer | undefined
}

export interface Query {
  readonly rail: Rail
  readonly attemptReference: string
  readonly providerRequestId: string | undefined
  /** True when a callback has named `providerRequestId`, so that it may be wrong. */
  readonly requestIdFromCallback: boolean
  readonly submittedAt: Date
  readonly receiptWanted: boolean
  /** True once a callback that settled nothing has named a receipt: the next answer "paid" may settle by it. */
  readonly receiptReported: boolean
  /** Which of the provider's platforms took the prompt. */
  readonly platform: string | undefined
  /** The trace in which the intent began, if that trace is kept. */
  readonly traceparent: string | undefined
}

export function promptCalls({ writes }: LedgerConnection) {
  const record = async (request: RecordSubmitRequest): Promise<void> => {
    await retried(() => writes.recordSubmit(request))
  }
  return {
    /**
     * The prompt to send; only one caller ever receives it. `mtnMomoPlatform`, the platform for MTN prompts, is stored
     * with it.
     */
    async beginSubmit(intentId: string, mtnMomoPlatform?: string): Promise<Prompt | undefined> {
      const { prompt } = await writes.beginSubmit({ intentId, mtnMomoPlatform })
      return prompt && promptOf(prompt)
    },

    /**
     * Retries for some seconds while the ledger is down. If the record is lost, no money is: the callback still finds
     * the intent by its token. But no status query can then ask how the prompt ended.
     */
    recordSubmit: (intentId: string, outcome: SubmitOutcome) =>
      record({ intentId, outcome: wireOutcomeOf(outcome) }),

    /**
     * Retries for some seconds while the ledger is down. If the record is lost, no money is: a card page that was not
     * recorded is never shown.
     */
    recordCardSession: (intentId: string, outcome: SessionOutcome) =>
      record({ intentId, outcome: wireSessionOutcomeOf(intentId, outcome) }),

    /** The query to make; undefined when none is due. */
    async beginQuery(intentId: string): Promise<Query | undefined> {
      const { query } = await writes.beginQuery({ intentId })
      return query && queryOf(query)
    },
  }
}

function promptOf(wire: WirePrompt): Prompt {
  const { accountId, phone, attemptReference, callbackToken, card } = wire
  const { minor: amountMinor, currency } = present(wire.amount, 'amount')
  return {
    accountId,
    rail: present(wordOf('RAIL', wire.rail), 'rail'),
    phone,
    amountMinor,
    attemptReference,
    callbackToken,
    card: card && {
      checkoutId: card.checkoutId,
      totalMinor: card.totalMinor,
      currency: present(currencyOf(currency), 'currency'),
      lifeSeconds: card.lifeSeconds,
      sealedPayer: card.sealedPayer,
    },
  }
}

function queryOf(wire: WireQuery): Query {
  const { attemptReference, providerRequestId, requestIdFromCallback } = wire
  const { receiptWanted, receiptReported, platform, traceparent } = wire
  return {
    rail: present(wordOf('RAIL', wire.rail), 'rail'),
    attemptReference,
    providerRequestId,
    requestIdFromCallback,
    submittedAt: present(wire.submittedAt, 'submitted_at'),
    receiptWanted,
    receiptReported,
    platform,
    traceparent,
  }
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

function wireSessionOutcomeOf(
  intentId: string,
  outcome: SessionOutcome,
): RecordSubmitRequest['outcome'] {
  switch (outcome.kind) {
    case 'opened': {
      const { sessionId, successIndicator } = outcome
      // The card gateway finds the order by the id that we gave it.
      const value = { providerRequestId: intentId, cardSession: { sessionId, successIndicator } }
      return { $case: 'accepted', value }
    }
    case 'refused':
      return refused(outcome)
    case 'not_opened':
      return { $case: 'notSent', value: { detail: outcome.detail } }
  }
}

function refused(refusal: {
  readonly cause: ProviderCause
  readonly providerCode: string
}): RecordSubmitRequest['outcome'] {
  const { cause, providerCode } = refusal
  return { $case: 'refused', value: { cause: wireOf('FAILURE_CAUSE', cause), providerCode } }
}
