import { withoutNulls } from '@malipo/contracts/present'
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
      items: items.map(({ refundSentBy, ...item }) => ({
        ...withoutNulls(item),
        amount: { minor: item.minor, currency: deps.country.currency },
        refundSentBy: refundSentBy === null ? undefined : wireOf('REFUND_SENDER', refundSentBy),
      })),
      total: items[0]?.total ?? 0,
      totalMinor: items[0]?.totalMinor ?? 0n,
    }
  }
}
