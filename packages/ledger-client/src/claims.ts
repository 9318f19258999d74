import type { Due as WireDue } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { LedgerConnection } from './connection'

/** One piece of due work: the name of its job, and the id of its row. */
export interface Due {
  readonly job: (typeof jobs)[keyof typeof jobs] | 'deliver-event'
  readonly id: string
}

const jobs = {
  submitIntentId: 'submit-prompt',
  queryIntentId: 'query-intent',
  readMessageId: 'read-provider-message',
  sendRefundId: 'send-refund',
  queryRefundId: 'query-refund',
} as const satisfies Record<NonNullable<WireDue['work']>['$case'], string>

/** Claims due work: the ledger leases it to this worker. */
export function claimCalls({ writes }: LedgerConnection) {
  return {
    async claimDue(limit: number): Promise<Due[]> {
      return (await writes.claimDue({ limit })).due.flatMap(dueOf)
    },

    async claimDeliveries(limit: number): Promise<Due[]> {
      const { deliveryIds } = await writes.claimDeliveries({ limit })
      return deliveryIds.map((id) => ({ job: 'deliver-event', id }))
    },
  }
}

/** Leaves out work of a kind that only a newer release of the worker knows. */
function dueOf({ work }: WireDue): Due[] {
  return work === undefined ? [] : [{ job: jobs[work.$case], id: work.value }]
}
