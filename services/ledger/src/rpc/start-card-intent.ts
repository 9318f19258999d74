import {
  type LedgerServiceServer,
  StartOutcome as WireOutcome,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import { cardTerms } from '../domain/fee'
import { cardAttemptsPerCheckoutMax } from '../domain/limits'
import { findCardAttempt, startCardIntent as keepIntent } from '../store/card-sessions'
import { findCheckout } from '../store/checkouts'
import { presentCardAttempt } from './present-card-attempt'
import { readFingerprint } from './read-request'
import type { Starting } from './starting'

export interface StartCardIntentDeps extends Pick<
  Starting,
  'db' | 'country' | 'newIds' | 'startSeconds'
> {
  /** Absent where no cards are taken. */
  readonly cardFeeBps: bigint | undefined
  readonly sessionSeconds: number
}

/** Starts an attempt to be paid by card, or finds the one that its key made, with its page. */
export function startCardIntent(
  deps: StartCardIntentDeps,
): Operations<LedgerServiceServer>['startCardIntent'] {
  const { db, country, newIds, cardFeeBps, startSeconds, sessionSeconds } = deps
  return async ({ checkoutId, idempotencyKey: key, fingerprint, phone, sealedPayer }) => {
    // What a checkout asks for never changes, so it may be read before the lock.
    const checkout = await findCheckout(db, checkoutId)
    if (checkout === undefined) throw new Fault('checkout_not_found', { checkoutId })
    const started = await keepIntent(db, {
      intentId: newIds.intent(),
      ...{ checkoutId, key, phone, sealedPayer, startSeconds, sessionSeconds },
      fingerprint: readFingerprint(fingerprint),
      feeMinor: cardTerms(checkout.amountMinor, cardFeeBps)?.feeMinor,
      attemptsPerCheckoutMax: cardAttemptsPerCheckoutMax,
    })
    switch (started.outcome) {
      case 'started':
      case 'replayed': {
        const attempt = await findCardAttempt(db, started.intentId)
        // Both are made by one commit, and neither is ever removed.
        if (attempt === undefined) throw new Fault('internal', { intentId: started.intentId })
        return {
          ...presentCardAttempt(attempt, country.currency),
          outcome: started.outcome === 'started' ? WireOutcome.STARTED : WireOutcome.REPLAYED,
        }
      }
      case 'rate_limited':
        throw new Fault('rate_limited', { retry_after_seconds: started.retryAfterSeconds })
      default:
        throw new Fault(started.outcome, { checkoutId })
    }
  }
}
