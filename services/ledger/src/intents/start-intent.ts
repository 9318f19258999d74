import { type LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf, wordOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import { openStartIntent } from '../store/start/start-intent'
import { presentIntent } from './present-intent'
import { readFingerprint } from './read-request'
import { readRail, type Starting, wantsWholeMajors } from './starting'

/** Starts an attempt to be paid over a phone, or re-attaches to one that there is. */
export function startIntent(deps: Starting): Operations<LedgerServiceServer>['startIntent'] {
  const start = openStartIntent(deps, deps)
  return async ({ checkoutId, idempotencyKey, fingerprint, phone, rail: wireRail }) => {
    const rail = readRail(deps, wordOf('RAIL', wireRail))
    const started = await start({
      intentId: deps.newIds.intent(),
      checkoutId,
      key: idempotencyKey,
      fingerprint: readFingerprint(fingerprint),
      rail,
      phone,
      callbackSecret: deps.newIds.callbackSecret(),
      attemptReference: deps.newIds.attemptReference(),
      wholeMajorsOnly: wantsWholeMajors(deps, rail),
    })
    switch (started.outcome) {
      case 'started':
      case 'replayed':
      case 'in_progress': {
        const intent = presentIntent(started.intent, deps.country.currency)
        return { intent, outcome: wireOf('START_OUTCOME', started.outcome) }
      }
      case 'rate_limited':
        throw new Fault('rate_limited', { retry_after_seconds: started.retryAfterSeconds })
      default:
        throw new Fault(started.outcome, { checkoutId })
    }
  }
}
