import type { Due as WireDue } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { Fault } from '@malipo/kernel/errors'
import { notableEvents } from '@malipo/runtime/metrics'
import type { Ledger, Operation } from '../operation'
import { claimsPerMessageMax, leaseSeconds } from './rules/decide-claiming'
import { claimDue as leaseDue, type DueOrRefund } from './store/claim-due'

/** More items than a worker handles at once, and still one short SQL statement. */
const limitMax = 500

/** Leases what is due to be done in the outside world: prompts, queries, unread messages, refunds. */
export function claimDue(deps: Ledger): Operation<'claimDue'> {
  return async ({ limit }) => {
    if (limit < 1) throw new Fault('invalid_request', { field: 'limit' })
    const lease = { limit: Math.min(limit, limitMax), leaseSeconds, claimsPerMessageMax }
    const claimed = await leaseDue(deps.pool, lease)
    for (const { id: messageId } of claimed.filter(({ kind }) => kind === 'parked')) {
      notableEvents.inc({ name: 'inbox_parked' })
      deps.log.error({ messageId }, 'message parked after repeated failures')
    }
    return { due: claimed.flatMap(presentDue) }
  }
}

function presentDue({ kind, id }: DueOrRefund): WireDue[] {
  switch (kind) {
    case 'submit':
      return [{ work: { $case: 'submitIntentId', value: id } }]
    case 'query':
      return [{ work: { $case: 'queryIntentId', value: id } }]
    case 'read':
      return [{ work: { $case: 'readMessageId', value: id } }]
    case 'refund':
      return [{ work: { $case: 'sendRefundId', value: id } }]
    case 'refund_query':
      return [{ work: { $case: 'queryRefundId', value: id } }]
    case 'parked':
      return []
  }
}
