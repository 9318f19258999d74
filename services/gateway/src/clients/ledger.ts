import {
  type CheckPayBillResponse,
  type CheckWalletResponse,
  type CreateCheckoutRequest,
  type CreateCheckoutResponse,
  LedgerServiceClient,
  ProviderMessageKind,
  Rail as WireRail,
  type ReadCheckoutResponse,
  type ReadHandlePaymentResponse,
  type ReadIntentResponse,
  type RetrieveCheckoutResponse,
  type StartHandleIntentResponse,
  type StartIntentResponse,
  type StoreProviderMessageResponse,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Country, MobileRail } from '@malipo/kernel/countries'
import type { Minor } from '@malipo/kernel/money'
import { type CallClass, eachClass } from '@malipo/runtime/call-classes'
import type { Slots } from '@malipo/runtime/call-slots'
import { clientOptionsTo, openCall } from '@malipo/runtime/grpc'
import type { TlsIdentity } from '@malipo/runtime/tls-identity'
import { cardCalls, type LedgerChannels } from './card-calls'
import type {
  HandlePayment,
  Intent,
  MerchantCheckout,
  PayBillCheck,
  PayBillQuestion,
  Payee,
  PayerCheckout,
  StartOutcome,
  WalletCheck,
} from './checkout'
import {
  handlePaymentOf,
  intentOf,
  merchantCheckoutOf,
  payBillVerdictOf,
  payerCheckoutOf,
  present,
  startOutcomeOf,
} from './ledger-wire'

/** A page waits at most ten seconds in all, so no single upstream call may take that long. */
const readMs = 1_500
const writeMs = 3_000

export interface NewIntent {
  readonly checkoutId: string
  readonly idempotencyKey: string
  readonly fingerprint: Buffer
  readonly rail: MobileRail
  readonly phone: string
}

export interface NewHandleIntent extends Omit<NewIntent, 'checkoutId'> {
  readonly payee: Payee
  readonly amountMinor: Minor
}

/** A provider's message and its subject, found by the callback token or by the body. */
export interface Callback {
  readonly subject:
    | { readonly kind: 'token'; readonly token: string }
    | { readonly kind: 'intent'; readonly intentId: string; readonly rail: MobileRail | 'card' }
    /** Money without a prompt: the body names the account. */
    | { readonly kind: 'pay_bill' }
  readonly body: Buffer
  readonly sourceAddress: string
  readonly isSourceKnown: boolean
}

/** The gateway's calls to the ledger. Every rejection is a Fault; ledger_unavailable means no answer. */
export type Ledger = ReturnType<typeof openLedger>

export interface LedgerOptions {
  readonly address: string
  readonly country: Country
  readonly identity: TlsIdentity
  /** False where this host has no card gateway: then no checkout offers a card. */
  readonly isCardOn: boolean
  /** Calls in flight of each class. */
  readonly slots: Readonly<Record<CallClass, Slots>>
}

export function openLedger(options: LedgerOptions) {
  const { address, country, identity } = options
  const channels: LedgerChannels = eachClass((callClass) => ({
    client: new LedgerServiceClient(
      address,
      identity.channel,
      clientOptionsTo(`ledger-${country}`),
    ),
    call: openCall('ledger_unavailable', options.slots[callClass]),
  }))
  const { settle } = channels
  return {
    ...checkoutCalls(channels, options.isCardOn),
    ...intentCalls(channels),
    ...cardCalls(channels),

    /** Stores a callback unchanged; returns its message id. */
    async storeCallback(callback: Callback): Promise<string> {
      const request = {
        ...subjectOf(callback),
        kind: ProviderMessageKind.CALLBACK,
        body: callback.body,
        sourceAddress: callback.sourceAddress,
        sourceKnown: callback.isSourceKnown,
      }
      const { messageId } = await settle.call<StoreProviderMessageResponse>(
        writeMs,
        (metadata, options, done) =>
          settle.client.storeProviderMessage(request, metadata, options, done),
      )
      return messageId
    },

    /** Whether a Pay Bill payment should be taken. */
    async checkPayBill(question: PayBillQuestion): Promise<PayBillCheck> {
      const { verdict, thirdPartyId } = await settle.call<CheckPayBillResponse>(
        readMs,
        (metadata, options, done) => settle.client.checkPayBill(question, metadata, options, done),
      )
      return { verdict: payBillVerdictOf(verdict), thirdPartyId }
    },

    close: () => {
      for (const { client } of Object.values(channels)) client.close()
    },
  }
}

/** A token identifies the intent, and the ledger knows its rail; a subject with an intent id names the rail too. */
function subjectOf({ subject }: Callback) {
  switch (subject.kind) {
    case 'token':
      return {
        rail: WireRail.UNSPECIFIED,
        subject: { $case: 'callbackToken', value: subject.token } as const,
      }
    case 'intent':
      return {
        rail: wireOf('RAIL', subject.rail),
        subject: { $case: 'intentId', value: subject.intentId } as const,
      }
    case 'pay_bill':
      return { rail: WireRail.PAYBILL, subject: undefined }
  }
}

function checkoutCalls({ create, read }: LedgerChannels, isCardOn: boolean) {
  return {
    async createCheckout(
      request: CreateCheckoutRequest,
    ): Promise<{ checkout: MerchantCheckout; isReplay: boolean }> {
      const { checkout, replayed: isReplay } = await create.call<CreateCheckoutResponse>(
        writeMs,
        (metadata, options, done) => create.client.createCheckout(request, metadata, options, done),
      )
      return { checkout: merchantCheckoutOf(present(checkout, 'checkout')), isReplay }
    },

    async retrieveCheckout(accountId: string, checkoutId: string): Promise<MerchantCheckout> {
      const request = { accountId, checkoutId }
      const { checkout } = await read.call<RetrieveCheckoutResponse>(
        readMs,
        (metadata, options, done) => read.client.retrieveCheckout(request, metadata, options, done),
      )
      return merchantCheckoutOf(present(checkout, 'checkout'))
    },

    async readCheckout(checkoutId: string): Promise<PayerCheckout> {
      const { checkout } = await read.call<ReadCheckoutResponse>(
        readMs,
        (metadata, options, done) =>
          read.client.readCheckout({ checkoutId }, metadata, options, done),
      )
      const { card, ...others } = payerCheckoutOf(present(checkout, 'checkout'))
      return { ...others, card: isCardOn ? card : undefined }
    },
  }
}

function intentCalls({ pay, read }: LedgerChannels) {
  return {
    async startIntent(start: NewIntent): Promise<{ intent: Intent; outcome: StartOutcome }> {
      const request = { ...start, rail: wireOf('RAIL', start.rail) }
      const { intent, outcome } = await pay.call<StartIntentResponse>(
        writeMs,
        (metadata, options, done) => pay.client.startIntent(request, metadata, options, done),
      )
      return { intent: intentOf(intent), outcome: startOutcomeOf(outcome) }
    },

    /** Whether the wallet of an account can take money here now, and in which amounts. */
    async checkWallet(accountId: string): Promise<WalletCheck> {
      const { accepting: isAccepting, wholeMajorsOnly } = await read.call<CheckWalletResponse>(
        readMs,
        (metadata, options, done) =>
          read.client.checkWallet({ accountId }, metadata, options, done),
      )
      return { isAccepting, wholeMajorsOnly }
    },

    async startHandleIntent(
      start: NewHandleIntent,
    ): Promise<{ intent: Intent; outcome: StartOutcome }> {
      const request = { ...start, rail: wireOf('RAIL', start.rail) }
      const { intent, replayed } = await pay.call<StartHandleIntentResponse>(
        writeMs,
        (metadata, options, done) => pay.client.startHandleIntent(request, metadata, options, done),
      )
      return { intent: intentOf(intent), outcome: replayed ? 'replayed' : 'started' }
    },

    async readHandlePayment(intentId: string): Promise<HandlePayment> {
      const { payment } = await read.call<ReadHandlePaymentResponse>(
        readMs,
        (metadata, options, done) =>
          read.client.readHandlePayment({ intentId }, metadata, options, done),
      )
      return handlePaymentOf(present(payment, 'payment'))
    },

    async readIntent(intentId: string): Promise<Intent> {
      const { intent } = await read.call<ReadIntentResponse>(readMs, (metadata, options, done) =>
        read.client.readIntent({ intentId }, metadata, options, done),
      )
      return intentOf(intent)
    },
  }
}
