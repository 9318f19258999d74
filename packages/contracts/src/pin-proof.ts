import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

/**
 * What auth vouches for: the owner of this account entered the right PIN, at this time. Auth signs it with Ed25519, and the
 * key service, which has the public key only, makes no secret key without it.
 */
export interface ProvenPin {
  readonly accountId: string
  /** The home country of the account, for which the key is made. */
  readonly country: string
  /** By the clock of auth's database. */
  readonly provenAt: Date
  /** A UUID: one proof makes one key. */
  readonly nonce: string
}

/** Of both keys: 32 bytes, as RFC 8032 has them. */
export const pinProofKeyBytes = 32

/** What stands before the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Signs proofs with a private key of 32 bytes: 64 bytes each. */
export function openPinProofSigner(privateKey: Buffer): (proven: ProvenPin) => Buffer {
  const key = openPrivateKey(privateKey)
  return (proven) => sign(null, signedText(proven), key)
}

/** Whether the owner of the private key of this public key signed exactly this. */
export function isSignedPinProof(
  publicKey: Buffer,
  proven: ProvenPin,
  signature: Uint8Array,
): boolean {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') }
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  return verify(null, signedText(proven), key, signature)
}

/** The public key of a private key, for the setup of both services. */
export function pinProofPublicKey(privateKey: Buffer): Buffer {
  const { x = '' } = createPublicKey(openPrivateKey(privateKey)).export({ format: 'jwk' })
  return Buffer.from(x, 'base64url')
}

function openPrivateKey(privateKey: Buffer): KeyObject {
  const key = Buffer.concat([pkcs8Head, privateKey])
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

/** One JSON list: no part can pass for another, whatever is in it. */
function signedText({ accountId, country, provenAt, nonce }: ProvenPin): Buffer {
  const parts = ['malipo pin proof 1', accountId, country, provenAt.toISOString(), nonce]
  return Buffer.from(JSON.stringify(parts))
}
