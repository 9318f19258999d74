import { withoutNulls } from '@malipo/contracts/present'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Ledger, Operation } from '../operation'
import { batched } from '../database/batched'
import { beginQueries } from './store/begin-query'

/** Hands out what to ask the provider about a prompt, to one caller each time that it is due. */
export function beginQuery(deps: Ledger): Operation<'beginQuery'> {
  const begin = batched(deps, (pool, intentIds: readonly string[], isWaiting) =>
    beginQueries(pool, intentIds, { ...deps, isWaiting }),
  )
  return async ({ intentId }) => {
    const { query } = await begin(intentId)
    if (query === undefined) return {}
    const { rail, amountMinor, attemptReference, ...request } = query
    return {
      query: {
        intentId,
        rail: wireOf('RAIL', rail),
        amount: { currency: deps.country.currency, minor: amountMinor },
        ...withoutNulls(request),
        // A card payment has no reference: it is queried by the intent's id. Its reference has always been sent as
        // "null", and the recorded exchanges hold the ledger to that.
        attemptReference: attemptReference ?? 'null',
      },
    }
  }
}
