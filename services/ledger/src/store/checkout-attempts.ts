import type { Rail } from '@malipo/kernel/countries'
import type { FailureCause } from '@malipo/kernel/failure-cause'
import type { Attempt, Payment } from '../domain/checkout'
import type { IntentStatus } from '../domain/intent'
import type { CheckoutView } from './generated/client'

// The words below are those of a CHECK in the database, which is what makes the casts safe.

/** The attempt that settled the checkout, else the newest one. */
export function paymentOf(row: CheckoutView): Payment | undefined {
  if (row.settledIntentId !== null) {
    return {
      intentId: row.settledIntentId,
      status: row.settledStatus as IntentStatus,
      settledMinor: row.settledMinor ?? undefined,
      receipt: row.settledReceipt ?? undefined,
      phone: row.settledPhone ?? undefined,
      rail: row.settledRail as Rail,
      cause: undefined,
    }
  }
  if (row.newestIntentId === null) return undefined
  return {
    intentId: row.newestIntentId,
    status: row.newestStatus as IntentStatus,
    settledMinor: row.newestSettledMinor ?? undefined,
    receipt: row.newestReceipt ?? undefined,
    phone: row.newestPhone ?? undefined,
    rail: row.newestRail as Rail,
    cause: (row.newestCause as FailureCause | null) ?? undefined,
  }
}

/** The same attempt, as its payer is told of it. */
export function attemptOf(row: CheckoutView): Attempt | undefined {
  if (row.settledIntentId !== null) {
    return {
      intentId: row.settledIntentId,
      status: row.settledStatus as IntentStatus,
      rail: row.settledRail as Rail,
      phone: row.settledPhone ?? undefined,
      cause: undefined,
      startedAt: row.settledCreatedAt ?? row.createdAt,
      reportedAt: undefined,
    }
  }
  if (row.newestIntentId === null) return undefined
  return {
    intentId: row.newestIntentId,
    status: row.newestStatus as IntentStatus,
    rail: row.newestRail as Rail,
    phone: row.newestPhone ?? undefined,
    cause: (row.newestCause as FailureCause | null) ?? undefined,
    startedAt: row.newestCreatedAt ?? row.createdAt,
    reportedAt: row.newestReportedAt ?? undefined,
  }
}
