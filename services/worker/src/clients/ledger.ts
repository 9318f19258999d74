import {
  type ApplyEvidenceResponse,
  type BeginQueryResponse,
  type BeginSubmitResponse,
  type ReadProviderMessageResponse,
  type RecordSubmitRequest,
  type RecordSubmitResponse,
  type StoreProviderMessageResponse,
  LedgerServiceClient,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf, wordOf } from '@malipo/contracts/wire-words'
import type { Country, Rail } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Currency, Minor } from '@malipo/kernel/money'
import type { Fact, MessageKind, SessionOutcome, SubmitOutcome } from '@malipo/rails/rail'
import type { Clock } from '@malipo/runtime/clock'
import { type Call, clientOptionsTo, openCall } from '@malipo/runtime/grpc'
import type { TlsIdentity } from '@malipo/runtime/tls-identity'
import type { FoundPayee } from './accounts'
import {
  type EvidenceResult,
  currencyOf,
  wireFactOf,
  wireOutcomeOf,
  wireSessionOutcomeOf,
} from './ledger-wire'
import { checkoutCalls } from './ledger-checkout'
import { claimCalls } from './ledger-claims'
import { deliveryCalls } from './ledger-deliveries'
import { registrationCalls } from './ledger-registration'
import { refundCalls } from './ledger-refunds'
import { statementCalls } from './ledger-statement'
import { retried } from './retried'

const readMs = 1_500
const writeMs = 3_000
/** A readiness check waits about a second. */
const readyMs = 800

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

/** Opening a card page for a payer, instead of sending a prompt. */
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
  readonly submittedAt: Date
  readonly receiptWanted: boolean
  /** Which of the provider's platforms took the prompt. */
  readonly platform: string | undefined
  /** The trace that the intent began in, where that is kept. */
  readonly traceparent: string | undefined
}

export interface ProviderMessage {
  readonly rail: Rail
  readonly kind: MessageKind
  readonly body: Uint8Array
  readonly isApplied: boolean
  /** The intent; undefined on the rail `paybill`, and for a refund. */
  readonly intentId: string | undefined
  /** For messages about a refund. */
  readonly isOfRefund: boolean
  /** The trace that its intent began in, where that is kept. */
  readonly traceparent: string | undefined
}

/** A body that our own query fetched for an intent. */
export interface FetchedMessage {
  readonly rail: Rail
  readonly kind: MessageKind
  readonly intentId: string
  readonly body: Uint8Array
}

export interface AppliedEvidence {
  readonly result: EvidenceResult
  /** The checkout paid by a Pay Bill payment. */
  readonly checkoutId: string | undefined
}

/** The worker's calls to the ledger, with the worker's own types. Every rejection is a Fault. */
export type Ledger = ReturnType<typeof openLedger>

export interface LedgerOptions {
  readonly address: string
  readonly country: Country
  readonly identity: TlsIdentity
  readonly clock: Clock
  readonly wait: (milliseconds: number) => Promise<void>
}

export function openLedger(options: LedgerOptions) {
  const client = new LedgerServiceClient(
    options.address,
    options.identity.channel,
    clientOptionsTo(`ledger-${options.country}`),
  )
  const call = openCall('ledger_unavailable')
  return {
    ...intentCalls(client, call, options.wait),
    ...messageCalls(client, call),
    ...registrationCalls(client, call),
    ...statementCalls(client, call),
    ...refundCalls(client, call, options.wait),
    ...deliveryCalls(client, call, options.wait),
    ...claimCalls(client, call),
    ...checkoutCalls(client, call),

    /** Resolves when the ledger can be reached. */
    ready: () =>
      new Promise<void>((resolve, reject) => {
        client.waitForReady(options.clock.now() + readyMs, (error) => {
          if (error) reject(error)
          else resolve()
        })
      }),

    close() {
      client.close()
    },
  }
}

function intentCalls(client: LedgerServiceClient, call: Call, wait: LedgerOptions['wait']) {
  const record = async (request: RecordSubmitRequest): Promise<void> => {
    await retried(wait, () =>
      call<RecordSubmitResponse>(writeMs, (metadata, options, done) =>
        client.recordSubmit(request, metadata, options, done),
      ),
    )
  }
  return {
    /**
     * The prompt to send, given to one caller only. `mtnMomoPlatform`, the platform for MTN prompts, is stored with
     * it.
     */
    async beginSubmit(intentId: string, mtnMomoPlatform?: string): Promise<Prompt | undefined> {
      const { prompt } = await call<BeginSubmitResponse>(writeMs, (metadata, options, done) =>
        client.beginSubmit({ intentId, mtnMomoPlatform }, metadata, options, done),
      )
      if (prompt === undefined) return undefined
      const { accountId, phone, attemptReference, callbackToken, card } = prompt
      const amount = present(prompt.amount, 'amount')
      return {
        accountId,
        rail: known(wordOf('RAIL', prompt.rail)),
        phone,
        amountMinor: amount.minor,
        attemptReference,
        callbackToken,
        card: card && {
          checkoutId: card.checkoutId,
          totalMinor: card.totalMinor,
          currency: present(currencyOf(amount.currency), 'currency'),
          lifeSeconds: card.lifeSeconds,
          sealedPayer: card.sealedPayer,
        },
      }
    },

    /**
     * Retries for some seconds while the ledger is down. A loss is safe, because the callback finds the intent by its
     * token, but then no status query can find how the prompt ended.
     */
    recordSubmit: (intentId: string, outcome: SubmitOutcome) =>
      record({ intentId, outcome: wireOutcomeOf(outcome) }),

    /** The same for a card page. */
    recordCardSession: (intentId: string, outcome: SessionOutcome) =>
      record({ intentId, outcome: wireSessionOutcomeOf(intentId, outcome) }),

    /** What to query; undefined when no query is due. */
    async beginQuery(intentId: string): Promise<Query | undefined> {
      const { query } = await call<BeginQueryResponse>(writeMs, (metadata, options, done) =>
        client.beginQuery({ intentId }, metadata, options, done),
      )
      if (query === undefined) return undefined
      return {
        rail: known(wordOf('RAIL', query.rail)),
        attemptReference: query.attemptReference,
        providerRequestId: query.providerRequestId,
        submittedAt: present(query.submittedAt, 'submittedAt'),
        receiptWanted: query.receiptWanted,
        platform: query.platform,
        traceparent: query.traceparent,
      }
    },
  }
}

function messageCalls(client: LedgerServiceClient, call: Call) {
  return {
    /** Stores a body unchanged; returns its message id. */
    async storeProviderMessage(message: FetchedMessage): Promise<string> {
      const request = {
        rail: wireOf('RAIL', message.rail),
        kind: wireOf('PROVIDER_MESSAGE_KIND', message.kind),
        subject: { $case: 'intentId', value: message.intentId } as const,
        body: Buffer.from(message.body),
        // Our own TLS connection fetched it, so its source needs no check.
        sourceAddress: '',
        sourceKnown: true,
      }
      const { messageId } = await call<StoreProviderMessageResponse>(
        writeMs,
        (metadata, options, done) => client.storeProviderMessage(request, metadata, options, done),
      )
      return messageId
    },

    async readProviderMessage(messageId: string): Promise<ProviderMessage> {
      const message = await call<ReadProviderMessageResponse>(readMs, (metadata, options, done) =>
        client.readProviderMessage({ messageId }, metadata, options, done),
      )
      const { body, applied: isApplied, intentId } = message
      return {
        rail: known(wordOf('RAIL', message.rail)),
        kind: known(wordOf('PROVIDER_MESSAGE_KIND', message.kind)),
        body,
        isApplied,
        intentId: intentId === '' ? undefined : intentId,
        isOfRefund: message.refundId !== undefined,
        traceparent: message.traceparent,
      }
    },

    /**
     * `payee`: the payee of a Pay Bill payment whose account number is a handle. `isSigned`: the body carries a valid
     * signature of the provider.
     */
    async applyEvidence(
      messageId: string,
      fact: Fact,
      { payee, isSigned }: { readonly payee: FoundPayee | undefined; readonly isSigned: boolean },
    ): Promise<AppliedEvidence> {
      const request = { messageId, fact: wireFactOf(fact, payee), signed: isSigned }
      const { result, checkoutId } = await call<ApplyEvidenceResponse>(
        writeMs,
        (metadata, options, done) => client.applyEvidence(request, metadata, options, done),
      )
      return { result: wordOf('EVIDENCE_RESULT', result) ?? 'kept', checkoutId }
    },
  }
}

function known<Value>(value: Value | undefined): Value {
  return present(value, 'enum value')
}

/** Proto cannot mark a field as required; the ledger's contract does. */
function present<Value>(value: Value | undefined, field: string): Value {
  if (value === undefined) throw new Fault('internal', { missing: field })
  return value
}
