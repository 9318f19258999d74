import type {
  CardSession as WireSession,
  Intent as WireIntent,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Currency } from '@malipo/kernel/money'
import type { CardAttempt } from '../store/card-sessions'
import { presentIntent } from './present-intent'

/** The attempt, and of its page what is charged, until when, and where. */
export function presentCardAttempt(
  { intent, session: { feeMinor, expiresAt, opened } }: Pick<CardAttempt, 'intent' | 'session'>,
  currency: Currency,
): { readonly intent: WireIntent; readonly session: WireSession } {
  const totalMinor = intent.amountMinor + feeMinor
  return {
    intent: presentIntent(intent, currency),
    session: { feeMinor, totalMinor, expiresAt, opened },
  }
}
