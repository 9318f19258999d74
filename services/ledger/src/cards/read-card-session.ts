import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { CountryRules } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../database/database'
import { findCardAttempt } from './store/card-sessions'
import { presentCardAttempt } from './start-card-intent'

export interface ReadCardSessionDeps {
  readonly db: Database
  readonly country: CountryRules
}

/** Reads the page of an attempt by card. An attempt for another checkout is answered as unknown. */
export function readCardSession(
  deps: ReadCardSessionDeps,
): Operations<LedgerServiceServer>['readCardSession'] {
  return async ({ checkoutId, intentId }) => {
    const attempt = await findCardAttempt(deps.db, intentId)
    if (attempt?.checkoutId !== checkoutId) throw new Fault('intent_not_found', { intentId })
    return presentCardAttempt(attempt, deps.country.currency)
  }
}
