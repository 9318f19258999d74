import type { RefundOrder as WireOrder } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { CountryRules } from '@malipo/kernel/countries'
import type { Ledger, Operation } from '../operation'
import { refundToken } from '../database/ids'
import type { Refund } from './rules/state'
import { beginRefund as begin } from './rules/decide-sending'
import { actOnRefund } from './store/apply'

/** What the worker sends to a provider, or asks it. Pay Bill money too goes back over the rail of prompts. */
export function presentRefundOrder(
  refundId: string,
  { currency }: CountryRules,
  order: Refund,
): WireOrder {
  const { provider, receipt, minor, callbackSecret: secret } = order
  return {
    rail: wireOf('RAIL', provider),
    receipt,
    amount: { minor, currency },
    callbackToken: refundToken(refundId, secret, 'callback'),
    queryToken: refundToken(refundId, secret, 'query_answer'),
    providerRequestId: order.providerRequestId ?? undefined,
  }
}

/** Commits the decision to send a refund, and hands out what to send, once. */
export function beginRefund(deps: Ledger): Operation<'beginRefund'> {
  return async ({ refundId }) => {
    const order = await actOnRefund(deps.pool, refundId, begin)
    return { order: order && presentRefundOrder(refundId, deps.country, order) }
  }
}
