import { succeed } from '@malipo/runtime/answer'
import { z } from 'zod'
import type { Hub } from '../operation'
import type { AuditEvent } from './rules/audit'
import { listEvents } from './store/audit-log'
import type { AuditEventPage, AuditEventView } from '@malipo/interface/hub'
import { readQuery } from '../hub-server/read-query'
import type { VisitOperation } from '../sessions/signed-in'

const querySchema = z.strictObject({
  before: z
    .string()
    .regex(/^[0-9]{1,18}$/)
    .transform(BigInt)
    .optional(),
})

/** `GET /v1/hub/audit-events`: the account's audit log, newest first, a page at a time. */
export function listAuditEvents(deps: Hub): VisitOperation {
  return async (request, { account: { accountId } }) => {
    const { before } = readQuery(querySchema, request)
    const { events, hasMore } = await listEvents(deps.db, accountId, before)
    const view: AuditEventPage = { events: events.map(showEvent), has_more: hasMore }
    return succeed(200, 'Audit events', view)
  }
}

function showEvent({ eventId, action, at, subject, caller }: AuditEvent): AuditEventView {
  return {
    event_id: String(eventId),
    action,
    at: at.toISOString(),
    subject,
    address: caller.address,
    user_agent: caller.userAgent,
  }
}
