import type { Rail } from '@malipo/kernel/countries'
import type { FailureCause } from '@malipo/kernel/failure-cause'
import {
  type SuspenseReason,
  suspenseReasonOf,
  type Disposition,
} from '../../journal/rules/postings'
import type { Payment } from '../../intents/rules/attempt'
import type { IntentStatus } from '../../intents/rules/intent'
import type { Database } from '../../database/database'
import { type KnownStep, knownSteps } from '../rules/known-steps'
import { findFreezings, type Freezing } from '../../freezes/store/freezes'

/** One attempt to pay a checkout, from its beginning. */
export interface AttemptHistory extends Payment {
  readonly startedAt: Date
  /** Why its money is in suspense and not in the wallet. */
  readonly heldBecause: SuspenseReason | undefined
  /** When its money was taken out of the wallet, for want of a row of the provider's statement. */
  readonly frozenAt: Date | undefined
  /** When money that was taken out of the wallet for this reason came back. */
  readonly returnedAt: Date | undefined
  readonly steps: readonly KnownStep[]
}

const attemptsMax = 50

/**
 * The newest attempts of a checkout with their steps, oldest first. The casts hold: only the ledger writes the words.
 */
export async function listAttempts(db: Database, checkoutId: string): Promise<AttemptHistory[]> {
  const intents = await db.intent.findMany({
    where: { checkoutId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: attemptsMax,
  })
  const steps = await db.intentStep.findMany({
    where: { intentId: { in: intents.map(({ id }) => id) } },
    orderBy: { step: 'asc' },
  })
  const freezings = await findFreezings(db, intents)
  return intents.reverse().map((intent) => ({
    intentId: intent.id,
    status: intent.status as IntentStatus,
    rail: intent.rail as Rail,
    phone: intent.phone ?? undefined,
    cause: (intent.cause as FailureCause | null) ?? undefined,
    startedAt: intent.createdAt,
    settledMinor: intent.settledMinor ?? undefined,
    receipt: intent.receipt ?? undefined,
    ...freezingOf(intent.disposition as Disposition | null, freezings.get(intent.receipt ?? '')),
    steps: stepsOf(
      { ...intent, status: intent.status as IntentStatus },
      steps.filter(({ intentId }) => intentId === intent.id),
    ),
  }))
}

function stepsOf(
  intent: Parameters<typeof knownSteps>[0],
  steps: readonly { readonly toStatus: string; readonly at: Date }[],
): KnownStep[] {
  if (steps.length === 0) return knownSteps(intent)
  return steps.map(({ toStatus, at }) => ({ status: toStatus as IntentStatus, at }))
}

function freezingOf(
  disposition: Disposition | null,
  freezing: Freezing | undefined,
): Pick<AttemptHistory, 'heldBecause' | 'frozenAt' | 'returnedAt'> {
  const heldSinceItCame = disposition === null ? undefined : suspenseReasonOf[disposition]
  return {
    heldBecause: heldSinceItCame ?? (freezing?.isHeld === true ? 'unconfirmed' : undefined),
    frozenAt: freezing?.frozenAt,
    returnedAt: freezing?.returnedAt,
  }
}
