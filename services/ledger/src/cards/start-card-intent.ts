import type {
  CardSession as WireSession,
  Intent as WireIntent,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Currency } from '@malipo/kernel/money'
import { wireOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import { keptTrace } from '@malipo/runtime/telemetry'
import type { Ledger, Operation } from '../operation'
import { busy, isStillOpen, presentIntent } from '../intents/start-intent'
import { readFingerprint } from '../checkouts/create-checkout'
import { batched } from '../database/batched'
import {
  type CardAttempt,
  type CardSession,
  type StartCardCommand,
  startCardIntents,
} from './store/card-sessions'
import type { CardPage } from './rules/decide-start-card'

/** An attempt with its page: what it charges, until when it is open, and where. */
export function presentCardAttempt(
  { intent, session: { feeMinor, expiresAt, opened } }: Pick<CardAttempt, 'intent' | 'session'>,
  currency: Currency,
): { readonly intent: WireIntent; readonly session: WireSession } {
  const totalMinor = intent.amountMinor + feeMinor
  return {
    intent: presentIntent(intent, currency),
    session: { feeMinor, totalMinor, expiresAt, opened },
  }
}

/** Starts an attempt to be paid by card, or returns the attempt that the idempotency key started, with its page. */
export function startCardIntent(deps: Ledger): Operation<'startCardIntent'> {
  const start = batched(deps, (pool, commands: readonly StartCardCommand[], isWaiting) =>
    startCardIntents(pool, commands, { terms: deps, isWaiting }),
  )
  return async ({ checkoutId, idempotencyKey: key, fingerprint, phone, sealedPayer }) => {
    const started = await start({
      intentId: deps.newIds.intent(),
      ...{ checkoutId, key, phone, sealedPayer },
      fingerprint: readFingerprint(fingerprint),
      traceparent: keptTrace(),
      busySeconds: deps.promptWatch.busySeconds('card'),
    })
    switch (started.outcome) {
      case 'started':
      case 'replayed': {
        const { intent, page } = started
        return {
          ...presentCardAttempt({ intent, session: sessionOf(page) }, deps.country.currency),
          outcome: wireOf('START_OUTCOME', started.outcome),
        }
      }
      case 'rate_limited':
        throw new Fault('rate_limited', { retry_after_seconds: started.retryAfterSeconds })
      case 'busy':
        throw busy(started.retryAfterSeconds)
      case 'checkout_expired': {
        const isOpen = await isStillOpen(deps, checkoutId)
        throw new Fault(isOpen ? 'payment_in_progress' : 'checkout_expired', { checkoutId })
      }
      default:
        throw new Fault(started.outcome, { checkoutId })
    }
  }
}

function sessionOf({ feeMinor, expiresAt, opened }: CardPage): CardSession {
  return { feeMinor, expiresAt: new Date(Math.floor(expiresAt / 1_000)), opened }
}
