import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { CountryRules } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { SharedDatabase } from '../database/database'
import { findIntent } from './store/intents'
import { presentIntent } from './start-intent'

export interface ReadIntentDeps extends Pick<SharedDatabase, 'pool'> {
  readonly country: CountryRules
}

export function readIntent(deps: ReadIntentDeps): Operations<LedgerServiceServer>['readIntent'] {
  return async ({ intentId }) => {
    const intent = await findIntent(deps.pool, intentId)
    if (intent === undefined) throw new Fault('intent_not_found', { intentId })
    return { intent: presentIntent(intent, deps.country.currency) }
  }
}
