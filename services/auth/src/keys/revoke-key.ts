import { succeed } from '@malipo/runtime/answer'
import type { Hub } from '../operation'
import { recordDone, recordEvent } from '../audit/store/audit-log'
import type { VisitOperation } from '../sessions/signed-in'

/** `POST /v1/hub/keys/revoke`: revokes the live key, if any; no PIN needed. Fault: keys_unavailable. */
export function revokeKey(deps: Hub): VisitOperation {
  return async (_request, { account: { accountId }, caller }) => {
    // If the answer of the key service is lost, the audit log shows only by this event that a key may be revoked.
    await recordEvent(deps.db, { accountId, action: 'key_revocation_asked', caller })
    const isRevoked = await deps.keys.revoke(accountId)
    if (isRevoked) await recordDone(deps, { accountId, action: 'key_revoked', caller })
    return succeed(200, 'Key revoked', { revoked: isRevoked })
  }
}
