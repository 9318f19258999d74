import type { Due as WireDue, RefundRails } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf, wordOf } from '@malipo/contracts/wire-words'
import type { Rail } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import { notableEvents } from '@malipo/runtime/metrics'
import type { Ledger, Operation } from '../operation'
import { noteRefundRails } from '../refunds/store/refund-rails'
import { claimsPerMessageMax, leaseSeconds } from './rules/decide-claiming'
import { claimDue as leaseDue, type DueOrRefund } from './store/claim-due'

/** More items than a worker handles at once, and still one short SQL statement. */
const limitMax = 500

/** Leases what is due to be done in the outside world: prompts, queries, unread messages, refunds. */
export function claimDue(deps: Ledger): Operation<'claimDue'> {
  return async ({ limit, refundRails }) => {
    if (limit < 1) throw new Fault('invalid_request', { field: 'limit' })
    if (refundRails !== undefined) await noteRefundRails(deps.pool, railsOf(refundRails))
    const lease = { limit: Math.min(limit, limitMax), leaseSeconds, claimsPerMessageMax }
    const claimed = await leaseDue(deps.pool, lease)
    for (const { id: messageId } of claimed.filter(({ kind }) => kind === 'parked')) {
      notableEvents.inc({ name: 'inbox_parked' })
      deps.log.error({ messageId }, 'message parked after repeated failures')
    }
    return { due: claimed.flatMap(presentDue) }
  }
}

/** Leaves out a rail that only a newer release of the worker knows. */
function railsOf({ rails }: RefundRails): Rail[] {
  return rails.flatMap((rail) => wordOf('RAIL', rail) ?? [])
}

function presentDue(claimed: DueOrRefund): WireDue[] {
  const work = workOf(claimed)
  if (work === undefined) return []
  const rail = 'rail' in claimed ? claimed.rail : null
  const isWatch = claimed.kind === 'watch' && { isWatch: true }
  return [{ work, ...(rail !== null && { rail: wireOf('RAIL', rail) }), ...isWatch }]
}

function workOf({ kind, id: value }: DueOrRefund): WireDue['work'] {
  switch (kind) {
    case 'submit':
      return { $case: 'submitIntentId', value }
    case 'query':
    case 'watch':
      return { $case: 'queryIntentId', value }
    case 'read':
      return { $case: 'readMessageId', value }
    case 'refund':
      return { $case: 'sendRefundId', value }
    case 'refund_query':
      return { $case: 'queryRefundId', value }
    case 'parked':
      return undefined
  }
}
