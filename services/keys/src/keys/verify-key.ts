import type { KeyServiceServer } from '@malipo/contracts/proto/keys/v1/key_service'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { UseRecorder } from './record-uses'
import type { Database } from '../database/database'
import { storedDigest, findLiveKey } from './store/keys'
import { readCountry, readKeySha256 } from './read-request'

export interface VerifyKeyDeps {
  readonly db: Database
  /** The current pepper, then older ones under which keys may still be stored. */
  readonly peppers: readonly [Buffer, ...Buffer[]]
  readonly uses: UseRecorder
}

/**
 * Finds the owner of a live key. Unknown keys, revoked keys and keys of another country get the same empty answer. A
 * gateway may ask for its own country only, so that a stolen certificate of one country reveals nothing of the other's
 * keys.
 */
export function verifyKey(deps: VerifyKeyDeps): Operations<KeyServiceServer>['verifyKey'] {
  const [current, ...older] = deps.peppers
  return async (request, caller) => {
    const keySha256 = readKeySha256(request.keySha256)
    const country = readCountry(request.country)
    if (caller !== `gateway-${country}`) throw new Fault('invalid_request', { field: 'country' })
    const digest = storedDigest(current, country, keySha256)
    const olderDigests = older.map((pepper) => storedDigest(pepper, country, keySha256))
    const key = await findLiveKey(deps.db, [digest, ...olderDigests], country)
    if (key === undefined) return {}
    deps.uses.note({ keyId: key.keyId, digest })
    return { accountId: key.accountId, cell: key.cell }
  }
}
