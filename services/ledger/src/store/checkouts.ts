import type { Rail } from '@malipo/kernel/countries'
import { type Checkout, checkoutStatus } from '../domain/checkout'
import type { Database } from './database'
import type { CheckoutView } from './generated/client'
import { attemptOf, paymentOf } from './checkout-attempts'

export async function findCheckout(
  db: Database,
  checkoutId: string,
): Promise<Checkout | undefined> {
  const row = await db.checkoutView.findUnique({ where: { checkoutId } })
  return row === null ? undefined : checkoutOf(row)
}

function statusOf(row: CheckoutView): Checkout['status'] {
  return checkoutStatus({
    isCompleted: row.completedAt !== null,
    isInFlight: row.flightIntentId !== null || row.isReportHeld,
    isTimeUp: row.isTimeUp,
  })
}

function heldReportOf({ isReportHeld, payBillReportedAt }: CheckoutView): Date | undefined {
  return isReportHeld ? (payBillReportedAt ?? undefined) : undefined
}

export function checkoutOf(row: CheckoutView): Checkout {
  const { checkoutId, accountId, amountMinor, createdAt, expiresAt } = row
  return {
    checkoutId,
    accountId,
    amountMinor,
    createdAt,
    expiresAt,
    reference: row.reference ?? undefined,
    description: row.description ?? undefined,
    returnUrl: row.returnUrl ?? undefined,
    phone: row.phone ?? undefined,
    completedAt: row.completedAt ?? undefined,
    status: statusOf(row),
    payment: paymentOf(row),
    watchedIntentId: row.settledIntentId ?? row.flightIntentId ?? undefined,
    attempt: attemptOf(row),
    failedAttempts: row.failedAttempts,
    mayHavePaid: row.mayHavePaid,
    isFoundUnpaid: row.isFoundUnpaid,
    deniedRail: (row.deniedRail as Rail | null) ?? undefined,
    payBillReportedAt: heldReportOf(row),
    isWalletOpen: row.isWalletOpen,
    cardEnabled: row.cardEnabled,
    payBillNumber: row.payBillNumber ?? undefined,
  }
}
