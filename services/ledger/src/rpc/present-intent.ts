import type { Intent as WireIntent } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Currency } from '@malipo/kernel/money'
import type { Intent } from '../store/intents'
import { wireRailOf, wireStatusOf } from './wire'

export function presentIntent(intent: Intent, currency: Currency): WireIntent {
  return {
    intentId: intent.intentId,
    status: wireStatusOf[intent.status],
    amount: { currency, minor: intent.amountMinor },
    amountSettledMinor: intent.settledMinor ?? undefined,
    rail: wireRailOf[intent.rail],
  }
}
