import type {
  ClaimDeliveriesResponse,
  ClaimDueResponse,
  LedgerServiceClient,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { Call } from '@malipo/runtime/grpc'
import { type Due, dueOf } from './ledger-wire'

const writeMs = 3_000

/** Due work, leased to this worker. */
export function claimCalls(client: LedgerServiceClient, call: Call) {
  return {
    async claimDue(limit: number): Promise<Due[]> {
      const { due } = await call<ClaimDueResponse>(writeMs, (metadata, options, done) =>
        client.claimDue({ limit }, metadata, options, done),
      )
      return due.flatMap(dueOf)
    },

    async claimDeliveries(limit: number): Promise<Due[]> {
      const { deliveryIds } = await call<ClaimDeliveriesResponse>(
        writeMs,
        (metadata, options, done) => client.claimDeliveries({ limit }, metadata, options, done),
      )
      return deliveryIds.map((id) => ({ job: 'deliver-event', id }))
    },
  }
}
