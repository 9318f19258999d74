import type { Intent as WireIntent } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Currency } from '@malipo/kernel/money'
import type { Intent } from '../domain/start/state'

export function presentIntent(intent: Intent, currency: Currency): WireIntent {
  return {
    intentId: intent.intentId,
    status: wireOf('INTENT_STATUS', intent.status),
    amount: { currency, minor: intent.amountMinor },
    amountSettledMinor: intent.settledMinor ?? undefined,
    rail: wireOf('RAIL', intent.rail),
  }
}
