import type {
  BeginRefundQueryResponse,
  BeginRefundResponse,
  LedgerServiceClient,
  RecordRefundResponse,
  RefundOrder as WireOrder,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Rail } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Minor } from '@malipo/kernel/money'
import type { SubmitOutcome } from '@malipo/rails/rail'
import type { Call } from '@malipo/runtime/grpc'
import { railOf, wireOutcomeOf } from './ledger-wire'
import { retried } from './retried'

const writeMs = 3_000

/** Money that goes back: what the provider is told, or asked. */
export interface RefundOrder {
  readonly rail: Rail
  readonly receipt: string
  readonly amountMinor: Minor
  readonly callbackToken: string
  readonly queryToken: string
  readonly providerRequestId: string | undefined
}

export function refundCalls(
  client: LedgerServiceClient,
  call: Call,
  wait: (milliseconds: number) => Promise<void>,
) {
  return {
    /** What to send, or undefined when there is nothing to send. Only one caller ever gets it. */
    async beginRefund(refundId: string): Promise<RefundOrder | undefined> {
      const { order } = await call<BeginRefundResponse>(writeMs, (metadata, options, done) =>
        client.beginRefund({ refundId }, metadata, options, done),
      )
      return order && orderOf(order)
    },

    /** Tries for a while when the ledger is away: without the provider's id it can only be asked about by the receipt. */
    async recordRefund(refundId: string, outcome: SubmitOutcome): Promise<void> {
      const request = { refundId, outcome: wireOutcomeOf(outcome) }
      await retried(wait, () =>
        call<RecordRefundResponse>(writeMs, (metadata, options, done) =>
          client.recordRefund(request, metadata, options, done),
        ),
      )
    },

    /** What to ask the provider, or undefined when it is not time to ask. */
    async beginRefundQuery(refundId: string): Promise<RefundOrder | undefined> {
      const { order } = await call<BeginRefundQueryResponse>(writeMs, (metadata, options, done) =>
        client.beginRefundQuery({ refundId }, metadata, options, done),
      )
      return order && orderOf(order)
    },
  }
}

function orderOf(order: WireOrder): RefundOrder {
  const { receipt, callbackToken, queryToken, providerRequestId } = order
  const rail = railOf[order.rail]
  const amountMinor = order.amount?.minor
  if (rail === undefined || amountMinor === undefined) throw new Fault('internal', { receipt })
  return { rail, receipt, amountMinor, callbackToken, queryToken, providerRequestId }
}
