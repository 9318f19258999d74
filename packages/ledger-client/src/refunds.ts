import type { RefundOrder as WireOrder } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wordOf } from '@malipo/contracts/wire-words'
import type { Rail } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { SubmitOutcome } from '@malipo/kernel/provider-fact'
import { type Amount, currencyOf, type Plain } from './amounts'
import type { LedgerConnection } from './connection'
import { wireOutcomeOf } from './prompts'
import { retried } from './retried'

/** A refund to order from its provider, or to query. */
export interface RefundOrder extends Plain<WireOrder, 'rail'>, Amount {
  readonly rail: Rail
}

export function refundCalls({ writes }: LedgerConnection) {
  return {
    /** The refund to order; undefined when there is none. Only one caller ever receives it. */
    async beginRefund(refundId: string): Promise<RefundOrder | undefined> {
      const { order } = await writes.beginRefund({ refundId })
      return order && orderOf(order)
    },

    /**
     * Retries for some seconds while the ledger is down: without the provider's id, the refund can only be queried by
     * the receipt.
     */
    async recordRefund(refundId: string, outcome: SubmitOutcome): Promise<void> {
      const request = { refundId, outcome: wireOutcomeOf(outcome) }
      await retried(() => writes.recordRefund(request))
    },

    /** The refund to query; undefined when no query is due. */
    async beginRefundQuery(refundId: string): Promise<RefundOrder | undefined> {
      const { order } = await writes.beginRefundQuery({ refundId })
      return order && orderOf(order)
    },
  }
}

function orderOf({ rail: wireRail, amount, ...plain }: WireOrder): RefundOrder {
  const rail = wordOf('RAIL', wireRail)
  const amountMinor = amount?.minor
  const currency = currencyOf(amount?.currency ?? '')
  if (rail === undefined || amountMinor === undefined || currency === undefined) {
    throw new Fault('internal', { receipt: plain.receipt })
  }
  return { ...plain, rail, amountMinor, currency }
}
