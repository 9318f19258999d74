import { randomBytes } from 'node:crypto'
import type { KeyServiceServer } from '@malipo/contracts/proto/keys/v1/key_service'
import { buildKey, digestKey, type KeyMode, keyRandomBytes } from '@malipo/contracts/key'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../store/database'
import { storedDigest } from '../store/digest'
import { replaceLiveKey } from '../store/keys'
import { readAccountId, readCountry } from './read-request'

export interface CreateKeyDeps {
  readonly db: Database
  readonly mode: KeyMode
  readonly pepper: Buffer
  readonly checkSecret: Buffer
}

/** Makes a key, or replaces the account's: the one moment in which we hold a raw key, and we keep none of it. */
export function createKey(deps: CreateKeyDeps): Operations<KeyServiceServer>['createKey'] {
  return async (request) => {
    const country = readCountry(request.country)
    const secretKey = buildKey(deps.mode, randomBytes(keyRandomBytes), deps.checkSecret)
    const key = await replaceLiveKey(deps.db, {
      keyId: `key_${randomBytes(12).toString('hex')}`,
      accountId: readAccountId(request.accountId),
      country,
      digest: storedDigest(deps.pepper, country, digestKey(secretKey)),
      prefix: `mkp_${deps.mode}_`,
      lastFour: secretKey.slice(-4),
    })
    return { secretKey, key }
  }
}
