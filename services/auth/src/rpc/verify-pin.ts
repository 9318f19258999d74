import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import type { Operations } from '@malipo/runtime/grpc'
import type { CredentialHasher } from '../store/credential-hash'
import type { Database } from '../store/database'
import { checkPin } from './check-pin'
import { readCaller } from './read-caller'

/** Says whether this is the account's PIN. Faults: wrong_pin, pin_locked, pin_not_set, invalid_request. */
export function verifyPin(deps: {
  readonly db: Database
  readonly hasher: CredentialHasher
}): Operations<AccountServiceServer>['verifyPin'] {
  return async ({ accountId, pin, caller }) => {
    await checkPin(deps, { accountId, pin, caller: readCaller(caller) })
    return {}
  }
}
