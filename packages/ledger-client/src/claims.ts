import type { Due as WireDue } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf, wordOf } from '@malipo/contracts/wire-words'
import type { Rail } from '@malipo/kernel/countries'
import type { LedgerConnection } from './connection'

/** One piece of due work: the name of its job, and the id of its row. */
export interface Due {
  readonly job: (typeof jobs)[keyof typeof jobs] | 'deliver-event'
  readonly id: string
  /** The rail of a prompt, and of a status query of it; a ledger of an earlier release names none. */
  readonly rail?: Rail
  /** A status query of a payment that has ended, for which no payer waits. */
  readonly isWatch?: boolean
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
    /** `refundRails`: the rails by which this worker sends refunds. */
    async claimDue(limit: number, refundRails: readonly Rail[]): Promise<Due[]> {
      const rails = refundRails.map((rail) => wireOf('RAIL', rail))
      return (await writes.claimDue({ limit, refundRails: { rails } })).due.flatMap(dueOf)
    },

    async claimDeliveries(limit: number): Promise<Due[]> {
      const { deliveryIds } = await writes.claimDeliveries({ limit })
      return deliveryIds.map((id) => ({ job: 'deliver-event', id }))
    },
  }
}

/** Leaves out work of a kind that only a newer release of the worker knows. */
function dueOf({ work, rail: wireRail, isWatch = false }: WireDue): Due[] {
  if (work === undefined) return []
  const rail = wireRail && wordOf('RAIL', wireRail)
  return [
    {
      ...{ job: jobs[work.$case], id: work.value },
      ...(rail !== undefined && { rail }),
      ...(isWatch && { isWatch }),
    },
  ]
}
