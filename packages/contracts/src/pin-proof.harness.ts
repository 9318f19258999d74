import { randomUUID } from 'node:crypto'
import { openPinProofSigner, pinProofPublicKey, type ProvenPin } from './pin-proof'

const privateKey = Buffer.alloc(32, 7)

/** The key pair for tests, in the format of both services' settings. */
export const testPinProofKeys = { privateKey, publicKey: pinProofPublicKey(privateKey) }

/** A request for a key with auth's proof; `signedBy` signs with another key. */
export function provenRequest(
  { accountId, country, provenAt }: Omit<ProvenPin, 'nonce'>,
  signedBy = privateKey,
) {
  const nonce = randomUUID()
  const signature = openPinProofSigner(signedBy)({ accountId, country, provenAt, nonce })
  return { accountId, country, pinProof: { provenAt, nonce, signature } }
}
