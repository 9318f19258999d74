import type { CardSession as WireSession } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Minor } from '@malipo/kernel/money'
import type { CardSession } from '../store/card-sessions'

/** What is charged, until when, and where. */
export function presentCardSession(
  amountMinor: Minor,
  { feeMinor, expiresAt, opened }: CardSession,
): WireSession {
  return { feeMinor, totalMinor: amountMinor + feeMinor, expiresAt, opened }
}
