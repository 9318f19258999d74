import { randomBytes } from 'node:crypto'
import type {
  CreateKeyRequest,
  KeyServiceServer,
} from '@malipo/contracts/proto/keys/v1/key_service'
import { buildKey, digestKey, type KeyMode, keyRandomBytes } from '@malipo/contracts/key'
import { isSignedPinProof, type ProvenPin } from '@malipo/contracts/pin-proof'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { Database } from '../database/database'
import { storedDigest, replaceLiveKey } from './store/keys'
import { readAccountId, readCell, readCountry } from './read-request'

export interface CreateKeyDeps {
  readonly db: Database
  readonly mode: KeyMode
  readonly pepper: Buffer
  readonly checkSecret: Buffer
  /** Auth's public key: only auth knows that a PIN was entered. */
  readonly pinProofPublicKey: Buffer
}

/**
 * Makes a key, or replaces the account's. The raw key exists only during this call and is not stored. The caller's
 * certificate is not enough: auth must have signed that the owner entered the PIN. Faults: invalid_request,
 * pin_not_proven.
 */
export function createKey(deps: CreateKeyDeps): Operations<KeyServiceServer>['createKey'] {
  return async (request) => {
    const owner = {
      accountId: readAccountId(request.accountId),
      country: readCountry(request.country),
    }
    const { provenAt, nonce } = readProof(deps.pinProofPublicKey, owner, request.pinProof)
    const secretKey = buildKey(deps.mode, randomBytes(keyRandomBytes), deps.checkSecret)
    const key = await replaceLiveKey(
      deps.db,
      {
        ...owner,
        cell: readCell(request.cell),
        keyId: `key_${randomBytes(12).toString('hex')}`,
        digest: storedDigest(deps.pepper, owner.country, digestKey(secretKey)),
        prefix: `mkp_${deps.mode}_`,
        lastFour: secretKey.slice(-4),
      },
      { provenAt, nonce },
    )
    return { secretKey, key }
  }
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The proof, if auth signed it for this owner. The database checks its age and that it was not used. */
function readProof(
  publicKey: Buffer,
  owner: Pick<ProvenPin, 'accountId' | 'country'>,
  proof: CreateKeyRequest['pinProof'],
): Pick<ProvenPin, 'provenAt' | 'nonce'> {
  const { provenAt, nonce, signature } = proof ?? {}
  if (provenAt === undefined || nonce === undefined || signature === undefined) {
    throw new Fault('pin_not_proven', { because: 'missing' })
  }
  const isWellFormed = uuid.test(nonce) && !Number.isNaN(provenAt.getTime())
  if (!isWellFormed || !isSignedPinProof(publicKey, { ...owner, provenAt, nonce }, signature)) {
    throw new Fault('pin_not_proven', { because: 'not_signed' })
  }
  return { provenAt, nonce }
}
