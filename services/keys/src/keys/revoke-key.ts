import type { KeyServiceServer } from '@malipo/contracts/proto/keys/v1/key_service'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../database/database'
import { revokeLiveKey } from './store/keys'
import { readAccountId } from './read-request'

/** Revokes the account's live key. A gateway that checked the key accepts it for up to a minute after that check. */
export function revokeKey(deps: {
  readonly db: Database
}): Operations<KeyServiceServer>['revokeKey'] {
  return async (request) => ({
    revoked: await revokeLiveKey(deps.db, readAccountId(request.accountId)),
  })
}
