import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { compareReceipt, isDay } from '../statements/rules/reconciliation'
import { listDayReceipts as list } from './store/day-receipts'

const pageSize = 100
const providers = /^(?:mpesa|mtn_momo|airtel_money|card)$/

/** Lists the receipts of a day as both sides have them, compared by the rule of the day's report. */
export function listDayReceipts(deps: Ledger): Operation<'listDayReceipts'> {
  return async ({ day, provider, afterReceipt }) => {
    if (!isDay(day)) throw new Fault('invalid_request', { field: 'day' })
    if (!providers.test(provider)) throw new Fault('invalid_request', { field: 'provider' })
    // PostgreSQL's text cannot contain NUL, and a receipt has no control characters.
    if (/\p{Cc}/u.test(afterReceipt ?? '')) {
      throw new Fault('invalid_request', { field: 'after_receipt' })
    }
    const found = await list(deps.db, { day, provider, afterReceipt, limit: pageSize + 1 })
    return {
      receipts: found.slice(0, pageSize).map(({ receipt, at, checkoutId, intentId, ...facts }) => {
        const { reported, posted, standing } = compareReceipt(facts)
        return {
          ...{ receipt, at, standing },
          providerMinor: reported ?? undefined,
          journalMinor: posted ?? undefined,
          checkoutId: checkoutId ?? undefined,
          intentId: intentId ?? undefined,
        }
      }),
      hasMore: found.length > pageSize,
    }
  }
}
