import { generateKeyPairSync } from 'node:crypto'
import { decryptedBy, type KeyPair } from '../rsa'

/** The key for operators' passwords, in place of Safaricom's certificate, whose private key only Safaricom has. */
export interface OperatorKey {
  /** As PEM. */
  publicKey(): string
  decrypted(securityCredential: string): string | undefined
}

/** One pair for all sessions, made when it is first asked for: making it takes longer than a start may. */
export function openOperatorKey(): OperatorKey {
  let made: KeyPair | undefined
  const pair = () => (made ??= generateKeyPairSync('rsa', { modulusLength: 2_048 }))
  return {
    publicKey: () => pair().publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    // Before the public key was first shown, nothing can have been encrypted with it.
    decrypted: (securityCredential) => made && decryptedBy(made, securityCredential),
  }
}
