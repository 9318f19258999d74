import { randomBytes } from 'node:crypto'
import {
  type ApplyEvidenceRequest,
  type CreateCheckoutRequest,
  FailureCause,
  type Intent,
  type LedgerServiceServer,
  type MerchantCheckout,
  ProviderMessageKind,
  Rail,
  type StartHandleIntentRequest,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Calls } from '@malipo/runtime/grpc'

/** A word that no other test uses. */
export function unique(prefix: string): string {
  return `${prefix}${randomBytes(8).toString('hex')}`
}

export function uniquePhone(): string {
  return `2547${String(randomBytes(4).readUInt32BE()).padStart(8, '0').slice(-8)}`
}

export function uniqueReceipt(): string {
  return randomBytes(5).toString('hex').toUpperCase()
}

export const fingerprint = Buffer.alloc(32, 7)

/** The body of a message, for tests in which nothing reads bodies. */
const body = Buffer.from('{}')

/** The steps of a payment, each asked of the ledger as the other services ask for it. */
export function payments(ledger: Calls<LedgerServiceServer>) {
  return {
    async merchant(cardEnabled = false): Promise<string> {
      const accountId = unique('acc_')
      await ledger.openWallet({ accountId, cardEnabled })
      return accountId
    },

    /** A checkout of KES 500.00 of a new merchant, unless `changes` says otherwise. */
    async checkout(changes: Partial<CreateCheckoutRequest> = {}): Promise<MerchantCheckout> {
      const accountId = changes.accountId ?? (await this.merchant())
      const request = { accountId, fingerprint, amountMinor: 50_000n, ...changes }
      const { checkout } = await ledger.createCheckout(request)
      return present(checkout)
    },

    async start(checkoutId: string, changes: { phone?: string; key?: string; rail?: Rail } = {}) {
      const { phone = uniquePhone(), key = unique('key-'), rail = Rail.MPESA } = changes
      const request = { checkoutId, idempotencyKey: key, fingerprint, rail, phone }
      return ledger.startIntent(request)
    },

    /** An attempt to pay a handle of an account: KES 500.00 unless `changes` says otherwise. */
    async startHandle(accountId: string, changes: Partial<StartHandleIntentRequest> = {}) {
      return ledger.startHandleIntent({
        payee: { accountId, handle: 'Mama-Mboga' },
        amountMinor: 50_000n,
        idempotencyKey: unique('key-'),
        fingerprint,
        rail: Rail.UNSPECIFIED,
        phone: uniquePhone(),
        ...changes,
      })
    },

    /** An attempt whose prompt the provider has. */
    async pending(checkoutId: string): Promise<Pending> {
      const { intent } = await this.start(checkoutId)
      return this.prompted(intent)
    },

    /** An attempt to pay a handle of an account, whose prompt the provider has. */
    async pendingToHandle(accountId: string): Promise<Pending> {
      const { intent } = await this.startHandle(accountId)
      return this.prompted(intent)
    },

    async prompted(intent: Intent | undefined): Promise<Pending> {
      const { intentId, amount } = present(intent)
      const { prompt } = await ledger.beginSubmit({ intentId })
      const { callbackToken } = present(prompt)
      const providerRequestId = unique('ws_CO_')
      const outcome = { $case: 'accepted', value: { providerRequestId } } as const
      await ledger.recordSubmit({ intentId, outcome })
      return { intentId, callbackToken, providerRequestId, amountMinor: present(amount).minor }
    },

    /** Stores a callback, sent to the address that the provider was given, and returns the id of the message. */
    async callback(token: string, changes: { sourceKnown?: boolean; body?: Buffer } = {}) {
      const { messageId } = await ledger.storeProviderMessage({
        rail: Rail.UNSPECIFIED,
        kind: ProviderMessageKind.CALLBACK,
        subject: { $case: 'callbackToken', value: token },
        body,
        sourceAddress: '196.201.214.200',
        sourceKnown: true,
        ...changes,
      })
      return messageId
    },

    /** Stores an answer that we fetched about an attempt, and returns the id of the message. */
    async fetched(intentId: string, kind: ProviderMessageKind, rail: Rail = Rail.MPESA) {
      const { messageId } = await ledger.storeProviderMessage({
        rail,
        kind,
        subject: { $case: 'intentId', value: intentId },
        body,
        sourceAddress: '',
        sourceKnown: true,
      })
      return messageId
    },

    /** Stores and applies a callback that says that the attempt was paid. */
    async paid(attempt: Pending, changes: PaidChanges = {}) {
      const { sourceKnown = true, receipt = uniqueReceipt(), ...reported } = changes
      const messageId = await this.callback(attempt.callbackToken, {
        sourceKnown,
        body: Buffer.from(receipt),
      })
      return ledger.applyEvidence({
        messageId,
        fact: confirmed({ ...attempt, receipt, ...reported }),
      })
    },

    async declined(attempt: Pending, changes: { sourceKnown?: boolean } = {}) {
      const messageId = await this.callback(attempt.callbackToken, changes)
      return ledger.applyEvidence({ messageId, fact: declined(attempt.providerRequestId) })
    },

    async status(intentId: string): Promise<Intent['status']> {
      const { intent } = await ledger.readIntent({ intentId })
      return present(intent).status
    },
  }
}

export interface Pending {
  readonly intentId: string
  readonly callbackToken: string
  readonly providerRequestId: string
  readonly amountMinor: bigint
}

export interface PaidChanges {
  readonly sourceKnown?: boolean
  readonly receipt?: string
  readonly amountMinor?: bigint
  readonly providerRequestId?: string
}

type WireFact = ApplyEvidenceRequest['fact']

export function confirmed(reported: {
  readonly receipt?: string
  readonly amountMinor?: bigint
  readonly providerRequestId?: string
  readonly paymentStands?: boolean
}): WireFact {
  const { receipt, amountMinor, providerRequestId, paymentStands } = reported
  return { $case: 'confirmed', value: { receipt, amountMinor, providerRequestId, paymentStands } }
}

export function declined(providerRequestId: string | undefined, providerCode = '1032'): WireFact {
  return {
    $case: 'declined',
    value: { cause: FailureCause.CANCELLED, providerCode, providerRequestId },
  }
}

/** Asks again while the ledger is too busy to answer, as every caller of it does. */
export async function insist<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  return ask().catch((error: unknown) => {
    if ((error as { reason?: unknown }).reason !== 'ledger_unavailable') throw error
    return insist(ask)
  })
}

/** Returns the value, or throws where it is missing, so that the test fails. */
export function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('it is missing from the answer')
  return value
}
