import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { CardPage } from '../domain/start/decide-start-card'
import type { CardSession } from '../store/card-sessions'
import { openStartCardIntent } from '../store/start/start-card-intent'
import { presentCardAttempt } from './present-card-attempt'
import { readFingerprint } from './read-request'
import type { Starting } from './starting'

export interface StartCardIntentDeps extends Pick<
  Starting,
  'pool' | 'log' | 'country' | 'newIds' | 'startSeconds'
> {
  /** Absent where no cards are taken. */
  readonly cardFeeBps: bigint | undefined
  readonly sessionSeconds: number
}

/** Starts an attempt to be paid by card, or finds the one that its key made, with its page. */
export function startCardIntent(
  deps: StartCardIntentDeps,
): Operations<LedgerServiceServer>['startCardIntent'] {
  const start = openStartCardIntent(deps, deps)
  return async ({ checkoutId, idempotencyKey: key, fingerprint, phone, sealedPayer }) => {
    const started = await start({
      intentId: deps.newIds.intent(),
      ...{ checkoutId, key, phone, sealedPayer },
      fingerprint: readFingerprint(fingerprint),
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
      default:
        throw new Fault(started.outcome, { checkoutId })
    }
  }
}

function sessionOf({ feeMinor, expiresAt, opened }: CardPage): CardSession {
  return { feeMinor, expiresAt: new Date(Math.floor(expiresAt / 1_000)), opened }
}
