import type { ResentView } from '@malipo/interface/hub'
import { readJsonBody } from '@malipo/interface/json-body'
import { succeed } from '@malipo/runtime/answer'
import type { Clock } from '@malipo/runtime/clock'
import { readRawBody } from '@malipo/runtime/read-bytes'
import { z } from 'zod'
import { readId } from '../hub-server/read-id'
import type { Hub } from '../operation'
import { requireEndpoint } from './store/webhook-endpoints'
import type { VisitOperation } from '../sessions/signed-in'

const daysMax = 30

/**
 * `POST /v1/hub/webhooks/{id}/resend`: redelivers the events since a time that an endpoint did not accept, for
 * example after an outage. Faults: invalid_request (also when it is disabled), ledger_unavailable.
 */
export function resendSince(deps: Hub): VisitOperation {
  const bodySchema = bodySchemaOf(deps.clock)
  return async (request, { account }) => {
    const { accountId } = account
    const endpointId = readId(request, 'we_')
    const { since } = readJsonBody(bodySchema, await readRawBody(request))
    const own = await requireEndpoint(deps.db, accountId, endpointId)
    const sent = await deps.ledgers.of(account).resendSince(own, new Date(since))
    const view: ResentView = { resent: sent.resent, has_more: sent.hasMore }
    return succeed(202, 'Deliveries resent', view)
  }
}

const bodySchemaOf = (clock: Clock) =>
  z.strictObject({
    since: z.iso.datetime({ error: 'must be a date with a time' }).check(({ value, issues }) => {
      const agoMs = clock.now() - Date.parse(value)
      if (agoMs >= 0 && agoMs <= daysMax * 86_400_000) return
      const message = `must be in the last ${String(daysMax)} days`
      issues.push({ code: 'custom', message, input: value })
    }),
  })
