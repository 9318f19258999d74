import { wireOf } from '@malipo/contracts/wire-words'
import type { Ledger, Operation } from '../operation'
import { listSuspense as readOpen } from './store/suspense'

/** The most items that fit in one message. */
const limitMax = 250

/** Lists what lies in suspense, the oldest first. */
export function listSuspense(deps: Ledger): Operation<'listSuspense'> {
  return async ({ limit }) => {
    const items = await readOpen(deps.db, Math.min(Math.max(limit, 1), limitMax))
    return {
      items: items.map(({ subject, reason, minor, openedAt, refundSentBy, ...ids }) => ({
        subject,
        reason,
        amount: { minor, currency: deps.country.currency },
        openedAt,
        checkoutId: ids.checkoutId ?? undefined,
        refundId: ids.refundId ?? undefined,
        refundSentBy: refundSentBy === null ? undefined : wireOf('REFUND_SENDER', refundSentBy),
        placementId: ids.placementId ?? undefined,
      })),
      total: items[0]?.total ?? 0,
      totalMinor: items[0]?.totalMinor ?? 0n,
    }
  }
}
