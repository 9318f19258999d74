import type { KeyServiceServer } from '@malipo/contracts/proto/keys/v1/key_service'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../database/database'
import { revokeLiveKey } from './store/keys'
import { readAccountId } from './read-request'

/** Revokes the account's live key. Gateways that checked it within the last minute still accept it until then. */
export function revokeKey(deps: {
  readonly db: Database
}): Operations<KeyServiceServer>['revokeKey'] {
  return async (request) => ({
    revoked: await revokeLiveKey(deps.db, readAccountId(request.accountId)),
  })
}
