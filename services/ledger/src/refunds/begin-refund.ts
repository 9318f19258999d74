import type { RefundOrder as WireOrder } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { CountryRules } from '@malipo/kernel/countries'
import { refundToken } from '../domain/ids'
import type { Refund } from '../domain/refunds/state'

/** What the worker tells a provider, or asks it. A provider's refunds go by the rail of its prompts. */
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
