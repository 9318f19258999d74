import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { boundsOf, isDay } from '../statements/rules/reconciliation'
import { listDayReceipts as list } from './store/day-receipts'

const pageSize = 100
const providers = /^(?:mpesa|mtn_momo|airtel_money|card)$/

/** Lists the receipts of a day as both sides have them. */
export function listDayReceipts(deps: Ledger): Operation<'listDayReceipts'> {
  return async ({ day, provider, afterReceipt }) => {
    if (!isDay(day)) throw new Fault('invalid_request', { field: 'day' })
    if (!providers.test(provider)) throw new Fault('invalid_request', { field: 'provider' })
    const { from, until } = boundsOf(day)
    const found = await list(deps.db, {
      ...{ provider, afterReceipt, limit: pageSize + 1 },
      ...{ from: new Date(from / 1_000), until: new Date(until / 1_000) },
    })
    return {
      receipts: found.slice(0, pageSize).map(({ providerMinor, journalMinor, ...receipt }) => ({
        ...{ receipt: receipt.receipt, at: receipt.at },
        providerMinor: providerMinor ?? undefined,
        journalMinor: journalMinor ?? undefined,
        checkoutId: receipt.checkoutId ?? undefined,
        intentId: receipt.intentId ?? undefined,
      })),
      hasMore: found.length > pageSize,
    }
  }
}
