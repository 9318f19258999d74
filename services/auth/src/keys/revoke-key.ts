import type { Keys } from '@malipo/keys-client/keys'
import { succeed } from '@malipo/runtime/answer'
import { recordEvent } from '../audit/store/audit-log'
import type { Database } from '../database/database'
import type { VisitOperation } from '../sessions/signed-in'

export interface RevokeKeyDeps {
  readonly db: Database
  readonly keys: Keys
}

/** `POST /v1/hub/keys/revoke`: revokes the live key, if any; no PIN needed. Fault: keys_unavailable. */
export function revokeKey({ db, keys }: RevokeKeyDeps): VisitOperation {
  return async (_request, { account: { accountId }, caller }) => {
    const isRevoked = await keys.revoke(accountId)
    if (isRevoked) await recordEvent(db, { accountId, action: 'key_revoked', caller })
    return succeed(200, 'Key revoked', { revoked: isRevoked })
  }
}
