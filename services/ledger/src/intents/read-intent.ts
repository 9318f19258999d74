import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { findIntent } from './store/intents'
import { presentIntent } from './start-intent'

export function readIntent(deps: Ledger): Operation<'readIntent'> {
  return async ({ intentId }) => {
    const intent = await findIntent(deps.pool, intentId)
    if (intent === undefined) throw new Fault('intent_not_found', { intentId })
    return { intent: presentIntent(intent, deps.country.currency) }
  }
}
