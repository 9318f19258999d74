import { randomUUID } from 'node:crypto'
import { openPinProofSigner, pinProofPublicKey, type ProvenPin } from './pin-proof'

const privateKey = Buffer.alloc(32, 7)

/** The pair that tests give to auth and to the key service, as their settings have it. */
export const testPinProofKeys = { privateKey, publicKey: pinProofPublicKey(privateKey) }

/** A request for a key with the proof that auth would send, unless `signedBy` is another's key. */
export function provenRequest(
  { accountId, country, provenAt }: Omit<ProvenPin, 'nonce'>,
  signedBy = privateKey,
) {
  const nonce = randomUUID()
  const signature = openPinProofSigner(signedBy)({ accountId, country, provenAt, nonce })
  return { accountId, country, pinProof: { provenAt, nonce, signature } }
}
