import { wireOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { type RailHealth, readRailHealth } from './store/provider-health'

const minutesMax = 1_440

/** Kenya's payers also pay from the menu of M-PESA. */
const payBill = { ke: ['paybill'], ug: [] } as const

/** Reads how the providers did lately. */
export function readProviderHealth(deps: Ledger): Operation<'readProviderHealth'> {
  const rails = [...deps.rails, ...payBill[deps.country.country]]
  return async ({ minutes }) => {
    if (minutes < 1 || minutes > minutesMax) {
      throw new Fault('invalid_request', { field: 'minutes' })
    }
    return { rails: (await readRailHealth(deps.db, rails, minutes)).map(present) }
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
