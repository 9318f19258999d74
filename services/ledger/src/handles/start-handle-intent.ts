import { isWithinLimits } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { busy, presentIntent, promptOf } from '../intents/start-intent'
import { batched } from '../database/batched'
import { type StartHandleCommand, startHandleIntents } from './store/start-handle-intent'

/** Starts an attempt to pay a handle over a phone, or answers with the attempt that the idempotency key started. */
export function startHandleIntent(deps: Ledger): Operation<'startHandleIntent'> {
  const start = batched(deps, (pool, commands: readonly StartHandleCommand[], isWaiting) =>
    startHandleIntents(pool, commands, { terms: deps, isWaiting }),
  )
  return async ({ payee, amountMinor, ...request }) => {
    const prompt = promptOf(deps, request)
    if (payee === undefined) throw new Fault('invalid_request', { field: 'payee' })
    const started = await start({
      payee,
      amountMinor,
      isWithinLimits: isWithinLimits(deps.country, amountMinor),
      ...prompt,
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
