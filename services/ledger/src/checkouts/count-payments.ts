import { Fault } from '@malipo/kernel/errors'
import { wireOf } from '@malipo/contracts/wire-words'
import type { Ledger, Operation } from '../operation'
import { findHeld } from './store/checkout-lists'
import { countPayments as count } from './store/payment-counts'

/** The most days of one call: a month of counts fits in one message and on one screen. */
const daysMax = 31

function readDays(days: number): number {
  if (days < 1 || days > daysMax) throw new Fault('invalid_request', { field: 'days' })
  return days
}

/** What was paid into a wallet, and which attempts took no money, by local day and rail. */
export function countPayments(deps: Ledger): Operation<'countPayments'> {
  const { db, country } = deps
  return async ({ accountId, days: requested }) => {
    const days = readDays(requested)
    const { firstDay, lastDay, counts } = await count(db, {
      accountId,
      days,
      timeZone: country.timeZone,
    })
    const held = await findHeld(db, accountId)
    return {
      firstDay,
      lastDay,
      counts: counts.map(({ day, rail, cause, paidMinor, mayHavePaid, count: many }) => ({
        ...{ day, mayHavePaid },
        rail: wireOf('RAIL', rail),
        cause: wireOf('FAILURE_CAUSE', cause),
        paidMinor: paidMinor ?? undefined,
        count: many,
      })),
      heldCheckouts: held.length,
    }
  }
}
