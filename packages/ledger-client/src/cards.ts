import type {
  CardSession,
  Intent as WireIntent,
  OpenedCardSession,
  StartCardIntentRequest,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { present } from '@malipo/contracts/present'
import type { LedgerConnection } from './connection'
import { type Intent, intentOf, type StartOutcome, startOutcomeOf } from './intents'

export interface CardPayment extends Readonly<Omit<CardSession, 'expiresAt' | 'opened'>> {
  readonly intent: Intent
  readonly expiresAt: Date
  /** Undefined until the card gateway has opened the page. */
  readonly opened: OpenedCardPage | undefined
}

export type OpenedCardPage = Readonly<OpenedCardSession>

/** `sealedPayer`: what the payer entered for the card gateway, encrypted so that the ledger cannot read it. */
export type NewCardIntent = Readonly<StartCardIntentRequest>

export function cardCalls({ reads, writes }: LedgerConnection) {
  return {
    async startCardIntent(
      start: NewCardIntent,
    ): Promise<{ payment: CardPayment; outcome: StartOutcome }> {
      const { intent, session, outcome } = await writes.startCardIntent(start)
      return { payment: paymentOf(intent, session), outcome: startOutcomeOf(outcome) }
    },

    async readCardPayment(checkoutId: string, intentId: string): Promise<CardPayment> {
      const { intent, session } = await reads.readCardSession({ checkoutId, intentId })
      return paymentOf(intent, session)
    },
  }
}

function paymentOf(wire: WireIntent | undefined, session: CardSession | undefined): CardPayment {
  const { expiresAt, opened, ...plain } = present(session, 'session')
  return {
    ...plain,
    intent: intentOf(wire),
    expiresAt: present(expiresAt, 'expires_at'),
    opened,
  }
}
