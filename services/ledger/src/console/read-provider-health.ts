import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Rail } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../database/database'
import { type RailHealth, readRailHealth } from './store/provider-health'

const minutesMax = 1_440

/** Reads how the providers did lately. */
export function readProviderHealth(deps: {
  readonly db: Database
  readonly rails: readonly Rail[]
}): Operations<LedgerServiceServer>['readProviderHealth'] {
  return async ({ minutes }) => {
    if (minutes < 1 || minutes > minutesMax) {
      throw new Fault('invalid_request', { field: 'minutes' })
    }
    return { rails: (await readRailHealth(deps.db, deps.rails, minutes)).map(present) }
  }
}

function present({ rail, causes, ...health }: RailHealth) {
  const { begun, completed, failed, expired, open, refused, unanswered } = health
  return {
    ...{ begun, completed, failed, expired, open, refused, unanswered },
    rail: wireOf('RAIL', rail),
    causes: [...causes],
    callP50Ms: health.callP50 ?? undefined,
    callP95Ms: health.callP95 ?? undefined,
    settleP50Ms: health.settleP50 ?? undefined,
    settleP95Ms: health.settleP95 ?? undefined,
    lastMessageAt: health.lastMessageAt ?? undefined,
    statementReadUntil: health.statementReadUntil ?? undefined,
  }
}
