import { succeed } from '@malipo/runtime/answer'
import type { KeyView } from '@malipo/interface/hub'
import type { Key } from '@malipo/keys-client/keys'
import type { Hub } from '../operation'
import type { VisitOperation } from '../sessions/signed-in'

/** `GET /v1/hub/keys`: the key table (interface, Authentication 6). Fault: keys_unavailable. */
export function listKeys(deps: Hub): VisitOperation {
  return async (_request, { account }) => {
    const keys = await deps.keys.list(account.accountId)
    return succeed(200, 'Keys', { keys: keys.map(showKey) })
  }
}

export function showKey(key: Key): KeyView {
  return {
    key_id: key.keyId,
    prefix: key.prefix,
    last_four: key.lastFour,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  }
}
