import { checkoutIdSchema, checkoutStatusSchema } from '@malipo/interface/fields'
import { refuseField } from '@malipo/interface/validate'
import { succeed } from '@malipo/runtime/answer'
import { z } from 'zod'
import type { CheckoutPage } from '@malipo/interface/hub'
import type { CheckoutQuestion } from '@malipo/ledger-client/checkouts'
import type { Hub } from '../operation'
import { readQuery } from '../hub-server/read-query'
import { showCheckout } from './show-checkout'
import type { VisitOperation } from '../sessions/signed-in'

const pageLength = 25
/** Days follow the clock of both countries, UTC+3. */
export const daySchema = z.iso
  .date()
  // The database does not accept the first years of the calendar.
  .refine((day) => day >= '2000-01-01', 'must be a day since the year 2000')
  .transform((day) => new Date(`${day}T00:00:00+03:00`))
const dayMs = 86_400_000

/** An hour of one day: a day may have more rows than a file. */
export const hourSchema = z
  .string()
  .regex(/^(?:[01]\d|2[0-3])$/, 'must be an hour from 00 to 23')
  .transform(Number)
const hourMs = 3_600_000

export interface Days {
  readonly from?: Date | undefined
  readonly until?: Date | undefined
  readonly hour?: number | undefined
}

/** The instants between which days lie, both included, or an hour of one day. Fault: invalid_request. */
export function periodOf({ from, until: lastDay, hour }: Days) {
  if (hour === undefined) return { from, until: lastDay && new Date(+lastDay + dayMs) }
  if (from === undefined || from.getTime() !== lastDay?.getTime()) {
    refuseField('hour', 'is of one day: `from` and `until` must be the same')
  }
  const begin = +from + hour * hourMs
  return { from: new Date(begin), until: new Date(begin + hourMs) }
}

/** The filters of the list of checkouts, and of the same list as a file. */
export const filterSchema = z.strictObject({
  status: checkoutStatusSchema.or(z.enum(['paid_after_expiry', 'money_held'])).optional(),
  search: z.string().trim().max(64).optional(),
  /** Days, both included. */
  from: daySchema.optional(),
  until: daySchema.optional(),
  hour: hourSchema.optional(),
})

const querySchema = filterSchema.extend({ before: checkoutIdSchema.optional() })

/**
 * `GET /v1/hub/checkouts`: the account's checkouts, newest first, a page at a time. Faults: invalid_request,
 * ledger_unavailable.
 */
export function listCheckouts({ ledgers }: Hub): VisitOperation {
  return async (request, { account }) => {
    const { accountId } = account
    const { before: beforeCheckoutId, ...filter } = readQuery(querySchema, request)
    const question = { ...questionOf(filter), beforeCheckoutId, limit: pageLength }
    const { rows, hasMore } = await ledgers.of(account).listCheckouts(accountId, question)
    const view: CheckoutPage = { checkouts: rows.map(showCheckout), has_more: hasMore }
    return succeed(200, 'Checkouts', view)
  }
}

export function questionOf(filter: z.output<typeof filterSchema>): Omit<CheckoutQuestion, 'limit'> {
  const { status, search } = filter
  const { from, until } = periodOf(filter)
  return {
    status: status === 'paid_after_expiry' || status === 'money_held' ? undefined : status,
    isPaidAfterExpiry: status === 'paid_after_expiry',
    isMoneyHeld: status === 'money_held',
    search,
    createdFrom: from,
    createdUntil: until,
  }
}
