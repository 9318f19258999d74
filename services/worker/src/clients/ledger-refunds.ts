import type {
  BeginRefundQueryResponse,
  BeginRefundResponse,
  LedgerServiceClient,
  RecordRefundResponse,
  RefundOrder as WireOrder,
  StoreProviderMessageResponse,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf, wordOf } from '@malipo/contracts/wire-words'
import type { Rail } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Currency, Minor } from '@malipo/kernel/money'
import type { SubmitOutcome } from '@malipo/rails/rail'
import type { Call } from '@malipo/runtime/grpc'
import { currencyOf, wireOutcomeOf } from './ledger-wire'
import { retried } from './retried'

const writeMs = 3_000

/** The ledger's methods for refunds: what to send to the provider, and what to query. */
export interface RefundOrder {
  readonly rail: Rail
  readonly receipt: string
  readonly amountMinor: Minor
  readonly currency: Currency
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
    /** What to send; undefined when there is nothing to send. Only one caller ever receives it. */
    async beginRefund(refundId: string): Promise<RefundOrder | undefined> {
      const { order } = await call<BeginRefundResponse>(writeMs, (metadata, options, done) =>
        client.beginRefund({ refundId }, metadata, options, done),
      )
      return order && orderOf(order)
    },

    /**
     * Retries for some seconds while the ledger is down: without the provider's id, the refund can only be queried by
     * the receipt.
     */
    async recordRefund(refundId: string, outcome: SubmitOutcome): Promise<void> {
      const request = { refundId, outcome: wireOutcomeOf(outcome) }
      await retried(wait, () =>
        call<RecordRefundResponse>(writeMs, (metadata, options, done) =>
          client.recordRefund(request, metadata, options, done),
        ),
      )
    },

    /** What to query; undefined when no query is due. */
    async beginRefundQuery(refundId: string): Promise<RefundOrder | undefined> {
      const { order } = await call<BeginRefundQueryResponse>(writeMs, (metadata, options, done) =>
        client.beginRefundQuery({ refundId }, metadata, options, done),
      )
      return order && orderOf(order)
    },

    /** Stores the answer to a query about a refund like a callback; returns its message id. */
    async storeRefundAnswer({ rail, queryToken }: RefundOrder, body: Uint8Array): Promise<string> {
      const request = {
        rail: wireOf('RAIL', rail),
        // The token marks the message as an answer to our query.
        kind: wireOf('PROVIDER_MESSAGE_KIND', 'callback'),
        subject: { $case: 'callbackToken', value: queryToken } as const,
        body: Buffer.from(body),
        // Our own TLS connection fetched it, so its source needs no check.
        sourceAddress: '',
        sourceKnown: true,
      }
      const { messageId } = await call<StoreProviderMessageResponse>(
        writeMs,
        (metadata, options, done) => client.storeProviderMessage(request, metadata, options, done),
      )
      return messageId
    },
  }
}

function orderOf(order: WireOrder): RefundOrder {
  const { receipt, callbackToken, queryToken, providerRequestId } = order
  const rail = wordOf('RAIL', order.rail)
  const amountMinor = order.amount?.minor
  const currency = currencyOf(order.amount?.currency ?? '')
  if (rail === undefined || amountMinor === undefined || currency === undefined) {
    throw new Fault('internal', { receipt })
  }
  return { rail, receipt, amountMinor, currency, callbackToken, queryToken, providerRequestId }
}
