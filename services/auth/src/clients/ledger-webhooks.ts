import type {
  LedgerServiceClient,
  ReadWebhooksResponse,
  ResendSinceResponse,
  WebhookDelivery as WireDelivery,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wordOf } from '@malipo/contracts/wire-words'
import type { Call } from '@malipo/runtime/grpc'

const readMs = 3_000
const writeMs = 3_000

export interface OwnEndpoint {
  readonly accountId: string
  readonly endpointId: string
}

/** The status of an endpoint. */
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

/** The hub's calls to the ledger about webhooks. Faults: invalid_request, ledger_unavailable. */
export function webhookCalls(client: LedgerServiceClient, call: Call) {
  return {
    async switchWebhookOn(own: OwnEndpoint): Promise<void> {
      await call(writeMs, (metadata, options, done) =>
        client.switchWebhookOn(own, metadata, options, done),
      )
    },

    async removeWebhook(own: OwnEndpoint): Promise<void> {
      await call(writeMs, (metadata, options, done) =>
        client.removeWebhook(own, metadata, options, done),
      )
    },

    async readWebhooks(accountId: string): Promise<Webhooks> {
      const { states, deliveries } = await call<ReadWebhooksResponse>(
        readMs,
        (metadata, options, done) => client.readWebhooks({ accountId }, metadata, options, done),
      )
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
      await call(writeMs, (metadata, options, done) =>
        client.sendTestEvent(own, metadata, options, done),
      )
    },

    async resendDelivery(accountId: string, deliveryId: string): Promise<void> {
      await call(writeMs, (metadata, options, done) =>
        client.resendDelivery({ accountId, deliveryId }, metadata, options, done),
      )
    },

    resendSince: (own: OwnEndpoint, since: Date): Promise<ResendSinceResponse> =>
      call(writeMs, (metadata, options, done) =>
        client.resendSince({ ...own, since }, metadata, options, done),
      ),
  }
}

function deliveryOf({ status: wire, createdAt, ...rest }: WireDelivery): Delivery[] {
  const status = wordOf('DELIVERY_STATUS', wire)
  return status === undefined || createdAt === undefined ? [] : [{ ...rest, createdAt, status }]
}
