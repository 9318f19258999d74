import type { RefundOrder as WireOrder } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { CountryRules } from '@malipo/kernel/countries'
import { refundToken } from '../domain/ids'
import type { RefundOrder } from '../store/refunds'
import { wireRailOf } from './wire'

/** What the worker tells a provider, or asks it. A provider's refunds go by the rail of its prompts. */
export function presentRefundOrder(
  refundId: string,
  { currency }: CountryRules,
  order: RefundOrder,
): WireOrder {
  const { provider, receipt, minor, callbackSecret: secret } = order
  return {
    rail: wireRailOf[provider],
    receipt,
    amount: { minor, currency },
    callbackToken: refundToken(refundId, secret, 'callback'),
    queryToken: refundToken(refundId, secret, 'query_answer'),
    providerRequestId: order.providerRequestId ?? undefined,
  }
}
