import type { KeyServiceServer } from '@malipo/contracts/proto/keys/v1/key_service'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../database/database'
import { listKeys as listStoredKeys } from './store/keys'
import { readAccountId } from './read-request'

/** Returns the rows for the table of keys in the hub (interface, Authentication 6). */
export function listKeys(deps: {
  readonly db: Database
}): Operations<KeyServiceServer>['listKeys'] {
  return async (request) => ({
    keys: await listStoredKeys(deps.db, readAccountId(request.accountId)),
  })
}
