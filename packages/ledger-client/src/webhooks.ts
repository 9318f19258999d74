import type {
  ResendSinceResponse,
  WebhookDelivery as WireDelivery,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wordOf } from '@malipo/contracts/wire-words'
import type { LedgerConnection } from './connection'

export interface OwnEndpoint {
  readonly accountId: string
  readonly endpointId: string
}

export interface EndpointState {
  readonly endpointId: string
  /** Undefined while it is enabled. */
  readonly offAt: Date | undefined
  readonly offBecause: 'removed' | 'gone' | 'failing' | undefined
  readonly failingSince?: Date | undefined
}

export interface Delivery extends Omit<WireDelivery, 'status' | 'createdAt'> {
  readonly createdAt: Date
  readonly status: 'pending' | 'delivered' | 'given_up'
}

export interface Webhooks {
  readonly states: readonly EndpointState[]
  readonly deliveries: readonly Delivery[]
}

/** An account's endpoints. Fault: invalid_request. */
export function webhookCalls({ reads, writes }: LedgerConnection) {
  return {
    async switchWebhookOn(own: OwnEndpoint): Promise<void> {
      await writes.switchWebhookOn(own)
    },

    async removeWebhook(own: OwnEndpoint): Promise<void> {
      await writes.removeWebhook(own)
    },

    async readWebhooks(accountId: string): Promise<Webhooks> {
      const { states, deliveries } = await reads.readWebhooks({ accountId })
      return {
        states: states.map((state) => ({
          ...state,
          offAt: state.offAt,
          offBecause: wordOf('WEBHOOK_OFF', state.offBecause),
        })),
        deliveries: deliveries.flatMap(deliveryOf),
      }
    },

    async sendTestEvent(own: OwnEndpoint): Promise<void> {
      await writes.sendTestEvent(own)
    },

    async resendDelivery(accountId: string, deliveryId: string): Promise<void> {
      await writes.resendDelivery({ accountId, deliveryId })
    },

    resendSince: (own: OwnEndpoint, since: Date): Promise<ResendSinceResponse> =>
      writes.resendSince({ ...own, since }),
  }
}

function deliveryOf({ status: wire, createdAt, ...rest }: WireDelivery): Delivery[] {
  const status = wordOf('DELIVERY_STATUS', wire)
  return status === undefined || createdAt === undefined ? [] : [{ ...rest, createdAt, status }]
}
