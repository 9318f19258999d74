import {
  AuditAction as WireAction,
  type AccountServiceServer,
} from '@malipo/contracts/proto/accounts/v1/account_service'
import type { Operations } from '@malipo/runtime/grpc'
import type { AuditAction } from '../domain/audit'
import { listEvents } from '../store/audit-log'
import type { Database } from '../store/database'

/** What was done with an account, newest first, a page at a time. */
export function listAuditEvents(deps: {
  readonly db: Database
}): Operations<AccountServiceServer>['listAuditEvents'] {
  return async ({ accountId, beforeEventId }) => {
    const events = await listEvents(deps.db, accountId, beforeEventId)
    return { events: events.map((event) => ({ ...event, action: wireActionOf[event.action] })) }
  }
}

const wireActionOf = {
  account_created: WireAction.ACCOUNT_CREATED,
  profile_edited: WireAction.PROFILE_EDITED,
  link_created: WireAction.LINK_CREATED,
  link_closed: WireAction.LINK_CLOSED,
  pin_set: WireAction.PIN_SET,
  pin_changed: WireAction.PIN_CHANGED,
  pin_refused: WireAction.PIN_REFUSED,
  pin_locked: WireAction.PIN_LOCKED,
  signed_in: WireAction.SIGNED_IN,
  sign_in_refused: WireAction.SIGN_IN_REFUSED,
  signed_out: WireAction.SIGNED_OUT,
  session_ended: WireAction.SESSION_ENDED,
} as const satisfies Record<AuditAction, WireAction>
