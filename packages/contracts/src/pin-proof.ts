import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

/**
 * Auth's assertion that the owner of this account entered the right PIN at this time. Auth signs it with Ed25519, and
 * the key service, which has only the public key, makes no secret key without it.
 */
export interface ProvenPin {
  readonly accountId: string
  /** The home country of the account, and of the new key. */
  readonly country: string
  /** By the clock of auth's database. */
  readonly provenAt: Date
  /** A UUID: one proof makes one key. */
  readonly nonce: string
}

/** The length of the private and of the public key: 32 bytes (RFC 8032). */
export const pinProofKeyBytes = 32

/** The fixed prefix of an Ed25519 private key in PKCS #8 (RFC 8410). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Signs proofs with a private key of 32 bytes; a signature has 64 bytes. */
export function openPinProofSigner(privateKey: Buffer): (proven: ProvenPin) => Buffer {
  const key = openPrivateKey(privateKey)
  return (proven) => sign(null, signedText(proven), key)
}

/** Whether the owner of this public key's private key signed exactly this proof. */
export function isSignedPinProof(
  publicKey: Buffer,
  proven: ProvenPin,
  signature: Uint8Array,
): boolean {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') }
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  return verify(null, signedText(proven), key, signature)
}

/** The public key of a private key: a local stack stores only auth's private key, and gives the key service this. */
export function pinProofPublicKey(privateKey: Buffer): Buffer {
  const { x = '' } = createPublicKey(openPrivateKey(privateKey)).export({ format: 'jwk' })
  return Buffer.from(x, 'base64url')
}

function openPrivateKey(privateKey: Buffer): KeyObject {
  const key = Buffer.concat([pkcs8Head, privateKey])
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

/** Signed as one JSON list, so that no two proofs have the same bytes. */
function signedText({ accountId, country, provenAt, nonce }: ProvenPin): Buffer {
  const parts = ['malipo pin proof 1', accountId, country, provenAt.toISOString(), nonce]
  return Buffer.from(JSON.stringify(parts))
}
