import { wordOf } from '@malipo/contracts/wire-words'
import { isWithinLimits } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import { keptTrace } from '@malipo/runtime/telemetry'
import type { Ledger, Operation } from '../operation'
import { busy, presentIntent, readRail } from '../intents/start-intent'
import { readFingerprint } from '../checkouts/create-checkout'
import { openStartHandleIntent } from './store/start-handle-intent'

/** Starts an attempt to pay a handle over a phone, or answers with the one that its key made. */
export function startHandleIntent(deps: Ledger): Operation<'startHandleIntent'> {
  const start = openStartHandleIntent(deps, deps)
  return async ({ payee, amountMinor, idempotencyKey, fingerprint, phone, ...request }) => {
    const rail = readRail(deps, wordOf('RAIL', request.rail))
    if (payee === undefined) throw new Fault('invalid_request', { field: 'payee' })
    const started = await start({
      intentId: deps.newIds.intent(),
      payee,
      amountMinor,
      isWithinLimits: isWithinLimits(deps.country, amountMinor),
      key: idempotencyKey,
      fingerprint: readFingerprint(fingerprint),
      traceparent: keptTrace(),
      rail,
      phone,
      callbackSecret: deps.newIds.callbackSecret(),
      attemptReference: deps.newIds.attemptReference(),
      wholeMajorsOnly: deps.wholeMajorsOnly,
      phoneWaitSeconds: request.phoneWaitSeconds,
      busySeconds: deps.promptWatch.busySeconds(rail),
    })
    switch (started.outcome) {
      case 'started':
      case 'replayed': {
        const intent = presentIntent(started.intent, deps.country.currency)
        return { intent, replayed: started.outcome === 'replayed' }
      }
      case 'rate_limited':
        throw new Fault('rate_limited', { retry_after_seconds: started.retryAfterSeconds })
      case 'busy':
        throw busy(started.retryAfterSeconds)
      default:
        throw new Fault(started.outcome, { accountId: payee.accountId })
    }
  }
}
