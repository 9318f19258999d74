import type {
  HandlePayment as WireHandlePayment,
  Intent as WireIntent,
  Payee,
  StartHandleIntentRequest,
  StartIntentRequest,
  StartOutcome as WireOutcome,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { present } from '@malipo/contracts/present'
import { wireOf, type Word, wordOf } from '@malipo/contracts/wire-words'
import type { IntentStatus } from '@malipo/interface/fields'
import type { MobileRail, Rail } from '@malipo/kernel/countries'
import type { Minor } from '@malipo/kernel/money'
import { type Amount, amountOf, type Plain } from './amounts'
import { type Attempt, attemptOf, intentStatusOf } from './checkouts'
import type { LedgerConnection } from './connection'

export type { Payee }

export type StartOutcome = NonNullable<Word<'START_OUTCOME', WireOutcome>>

export interface Intent
  extends Plain<WireIntent, 'status' | 'amountSettledMinor' | 'rail'>, Amount {
  readonly status: IntentStatus
  readonly settledMinor: Minor | undefined
  readonly rail: Rail
}

/** A payment intent for a handle, as its payer sees it. */
export interface HandlePayment
  extends Plain<WireHandlePayment, 'payee' | 'attempt' | 'foundUnpaid' | 'deniedRail'>, Amount {
  readonly payee: Payee
  readonly attempt: Attempt
  readonly isFoundUnpaid: boolean
  readonly deniedRail: Rail | undefined
}

export interface NewIntent extends Readonly<Omit<StartIntentRequest, 'rail'>> {
  readonly rail: MobileRail
}

export interface NewHandleIntent extends Readonly<
  Omit<StartHandleIntentRequest, 'rail' | 'payee'>
> {
  readonly payee: Payee
  readonly rail: MobileRail
}

export function intentCalls({ reads, writes }: LedgerConnection) {
  return {
    async startIntent(start: NewIntent): Promise<{ intent: Intent; outcome: StartOutcome }> {
      const request = { ...start, rail: wireOf('RAIL', start.rail) }
      const { intent, outcome } = await writes.startIntent(request)
      return { intent: intentOf(intent), outcome: startOutcomeOf(outcome) }
    },

    async startHandleIntent(
      start: NewHandleIntent,
    ): Promise<{ intent: Intent; outcome: StartOutcome }> {
      const request = { ...start, rail: wireOf('RAIL', start.rail) }
      const { intent, replayed } = await writes.startHandleIntent(request)
      return { intent: intentOf(intent), outcome: replayed ? 'replayed' : 'started' }
    },

    async readHandlePayment(intentId: string): Promise<HandlePayment> {
      return handlePaymentOf((await reads.readHandlePayment({ intentId })).payment)
    },

    async readIntent(intentId: string): Promise<Intent> {
      return intentOf((await reads.readIntent({ intentId })).intent)
    },
  }
}

export function intentOf(wire: WireIntent | undefined): Intent {
  const { status, amount, amountSettledMinor, rail, ...plain } = present(wire, 'intent')
  return {
    ...plain,
    ...amountOf(amount),
    status: intentStatusOf(status),
    settledMinor: amountSettledMinor,
    rail: present(wordOf('RAIL', rail), 'rail'),
  }
}

export function startOutcomeOf(wire: WireOutcome): StartOutcome {
  return present(wordOf('START_OUTCOME', wire), 'outcome')
}

function handlePaymentOf(wire: WireHandlePayment | undefined): HandlePayment {
  const payment = present(wire, 'payment')
  const { payee, amount, attempt, foundUnpaid, deniedRail, ...plain } = payment
  return {
    ...plain,
    ...amountOf(amount),
    payee: present(payee, 'payee'),
    attempt: attemptOf(present(attempt, 'attempt')),
    isFoundUnpaid: foundUnpaid,
    deniedRail: wordOf('RAIL', deniedRail),
  }
}
