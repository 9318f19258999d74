import type {
  RecordDeliveryRequest,
  WebhookMessage as WireMessage,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import type { LedgerConnection } from './connection'
import { retried } from './retried'

/** An event for one endpoint of a merchant. `eventId` is the same at each attempt, so the merchant can deduplicate. */
export interface WebhookMessage extends Readonly<Omit<WireMessage, 'createdAt'>> {
  readonly createdAt: Date
}

export type DeliveryOutcome =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'unanswered'; readonly failure: string }
  | { readonly kind: 'endpoint_unknown' }
  | { readonly kind: 'not_attempted' }

export function deliveryCalls({ writes }: LedgerConnection) {
  return {
    /** The message to send; undefined when none is left to send. */
    async beginDelivery(deliveryId: string): Promise<WebhookMessage | undefined> {
      const { message } = await writes.beginDelivery({ deliveryId })
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
      await retried(() => writes.recordDelivery(request))
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
    case 'not_attempted':
      return { $case: 'notAttempted', value: true }
  }
}
