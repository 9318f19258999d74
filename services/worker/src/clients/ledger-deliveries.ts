import type {
  BeginDeliveryResponse,
  LedgerServiceClient,
  RecordDeliveryRequest,
  RecordDeliveryResponse,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import type { Call } from '@malipo/runtime/grpc'
import { retried } from './retried'

const writeMs = 3_000

/** An event for one endpoint of a merchant. */
export interface WebhookMessage {
  readonly endpointId: string
  /** The same at each attempt, so that the merchant can deduplicate. */
  readonly eventId: string
  readonly type: string
  readonly subjectId: string
  readonly createdAt: Date
}

export type DeliveryOutcome =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'unanswered'; readonly failure: string }
  | { readonly kind: 'endpoint_unknown' }

export function deliveryCalls(
  client: LedgerServiceClient,
  call: Call,
  wait: (milliseconds: number) => Promise<void>,
) {
  return {
    /** What to send; undefined when there is nothing left to send. */
    async beginDelivery(deliveryId: string): Promise<WebhookMessage | undefined> {
      const { message } = await call<BeginDeliveryResponse>(writeMs, (metadata, options, done) =>
        client.beginDelivery({ deliveryId }, metadata, options, done),
      )
      if (message === undefined) return undefined
      const { createdAt } = message
      if (createdAt === undefined) throw new Fault('internal', { deliveryId })
      return { ...message, createdAt }
    },

    /** Retries for some seconds while the ledger is down: a delivery that is not recorded is sent again. */
    async recordDelivery(
      deliveryId: string,
      outcome: DeliveryOutcome,
      durationMs: number,
    ): Promise<void> {
      const request = { deliveryId, outcome: wireOf(outcome), durationMs: Math.round(durationMs) }
      await retried(wait, () =>
        call<RecordDeliveryResponse>(writeMs, (metadata, options, done) =>
          client.recordDelivery(request, metadata, options, done),
        ),
      )
    },
  }
}

function wireOf(outcome: DeliveryOutcome): RecordDeliveryRequest['outcome'] {
  switch (outcome.kind) {
    case 'answered':
      return { $case: 'answerStatus', value: outcome.status }
    case 'unanswered':
      return { $case: 'failure', value: outcome.failure }
    case 'endpoint_unknown':
      return { $case: 'endpointUnknown', value: true }
  }
}
