import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { CountryRules } from '@malipo/kernel/countries'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../store/database'
import { takeQuery } from '../store/intents'

export interface BeginQueryDeps {
  readonly db: Database
  readonly country: CountryRules
  readonly queryEverySeconds: number
}

/** Hands out what to ask the provider about a prompt, to one caller each time that it is due. */
export function beginQuery(deps: BeginQueryDeps): Operations<LedgerServiceServer>['beginQuery'] {
  return async ({ intentId }) => {
    const taken = await takeQuery(deps.db, intentId, deps.queryEverySeconds)
    if (taken === undefined) return {}
    const { rail, amountMinor, providerRequestId, platform, ...asked } = taken
    return {
      query: {
        intentId,
        rail: wireOf('RAIL', rail),
        amount: { currency: deps.country.currency, minor: amountMinor },
        ...asked,
        providerRequestId: providerRequestId ?? undefined,
        platform: platform ?? undefined,
      },
    }
  }
}
