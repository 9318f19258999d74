import type {
  CardSession,
  Intent as WireIntent,
  LedgerServiceClient,
  ReadCardSessionResponse,
  StartCardIntentResponse,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
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
  /** What the payer gave for the card gateway, unreadable to the ledger. */
  readonly sealedPayer: Buffer | undefined
}

/** What the gateway asks of the ledger about cards. */
export function cardCalls(client: LedgerServiceClient, call: Call) {
  return {
    async startCardIntent(
      start: NewCardIntent,
    ): Promise<{ payment: CardPayment; outcome: StartOutcome }> {
      const { intent, session, outcome } = await call<StartCardIntentResponse>(
        writeMs,
        (metadata, options, done) => client.startCardIntent(start, metadata, options, done),
      )
      return { payment: paymentOf(intent, session), outcome: startOutcomeOf(outcome) }
    },

    async readCardPayment(checkoutId: string, intentId: string): Promise<CardPayment> {
      const { intent, session } = await call<ReadCardSessionResponse>(
        readMs,
        (metadata, options, done) =>
          client.readCardSession({ checkoutId, intentId }, metadata, options, done),
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
