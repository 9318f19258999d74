import type {
  CardSession,
  Intent as WireIntent,
  LedgerServiceClient,
  ReadCardSessionResponse,
  StartCardIntentResponse,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { CallClass } from '@malipo/runtime/call-classes'
import type { Call } from '@malipo/runtime/grpc'
import type { CardPayment, StartOutcome } from './checkout'
import { intentOf, present, startOutcomeOf } from './ledger-wire'

const readMs = 1_500
const writeMs = 3_000

export interface NewCardIntent {
  readonly checkoutId: string
  readonly idempotencyKey: string
  readonly fingerprint: Buffer
  readonly phone: string | undefined
  /** What the payer entered for the card gateway, encrypted so that the ledger cannot read it. */
  readonly sealedPayer: Buffer | undefined
}

/** One connection to the ledger for each class of calls, so that a broken connection ends calls of one class only. */
export type LedgerChannels = Readonly<
  Record<CallClass, { readonly client: LedgerServiceClient; readonly call: Call }>
>

/** The gateway's calls to the ledger about cards. */
export function cardCalls({ pay, read }: LedgerChannels) {
  return {
    async startCardIntent(
      start: NewCardIntent,
    ): Promise<{ payment: CardPayment; outcome: StartOutcome }> {
      const { intent, session, outcome } = await pay.call<StartCardIntentResponse>(
        writeMs,
        (metadata, options, done) => pay.client.startCardIntent(start, metadata, options, done),
      )
      return { payment: paymentOf(intent, session), outcome: startOutcomeOf(outcome) }
    },

    async readCardPayment(checkoutId: string, intentId: string): Promise<CardPayment> {
      const { intent, session } = await read.call<ReadCardSessionResponse>(
        readMs,
        (metadata, options, done) =>
          read.client.readCardSession({ checkoutId, intentId }, metadata, options, done),
      )
      return paymentOf(intent, session)
    },
  }
}

function paymentOf(wire: WireIntent | undefined, session: CardSession | undefined): CardPayment {
  const { feeMinor, totalMinor, expiresAt, opened } = present(session, 'session')
  return {
    intent: intentOf(wire),
    feeMinor,
    totalMinor,
    expiresAt: present(expiresAt, 'expires_at'),
    opened,
  }
}
