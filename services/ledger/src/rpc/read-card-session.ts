import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { CountryRules } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import { findCardSession } from '../store/card-sessions'
import type { Database } from '../store/database'
import { findIntent } from '../store/intents'
import { presentCardSession } from './present-card-session'
import { presentIntent } from './present-intent'

export interface ReadCardSessionDeps {
  readonly db: Database
  readonly country: CountryRules
}

/** Reads the page of an attempt by card. An attempt for another checkout is as unknown as none at all. */
export function readCardSession(
  deps: ReadCardSessionDeps,
): Operations<LedgerServiceServer>['readCardSession'] {
  return async ({ checkoutId, intentId }) => {
    const [intent, session] = await Promise.all([
      findIntent(deps.db, intentId),
      findCardSession(deps.db, intentId),
    ])
    if (intent === undefined || session?.checkoutId !== checkoutId) {
      throw new Fault('intent_not_found', { intentId })
    }
    return {
      intent: presentIntent(intent, deps.country.currency),
      session: presentCardSession(intent.amountMinor, session),
    }
  }
}
