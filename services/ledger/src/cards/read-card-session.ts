import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { findCardAttempt } from './store/card-sessions'
import { presentCardAttempt } from './start-card-intent'

/** Reads the page of an attempt by card. An attempt for another checkout is answered as unknown. */
export function readCardSession(deps: Ledger): Operation<'readCardSession'> {
  return async ({ checkoutId, intentId }) => {
    const attempt = await findCardAttempt(deps.db, intentId)
    if (attempt?.checkoutId !== checkoutId) throw new Fault('intent_not_found', { intentId })
    return presentCardAttempt(attempt, deps.country.currency)
  }
}
