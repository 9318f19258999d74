import { succeed } from '@malipo/runtime/answer'
import type { Hub } from '../operation'
import { recordEvent } from '../audit/store/audit-log'
import type { VisitOperation } from '../sessions/signed-in'

/** `POST /v1/hub/keys/revoke`: revokes the live key, if any; no PIN needed. Fault: keys_unavailable. */
export function revokeKey({ db, keys }: Hub): VisitOperation {
  return async (_request, { account: { accountId }, caller }) => {
    const isRevoked = await keys.revoke(accountId)
    if (isRevoked) await recordEvent(db, { accountId, action: 'key_revoked', caller })
    return succeed(200, 'Key revoked', { revoked: isRevoked })
  }
}
