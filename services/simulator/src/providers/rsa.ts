import { constants, type KeyObject, privateDecrypt } from 'node:crypto'

export interface KeyPair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

/** Decrypts what was encrypted by RSA/ECB/PKCS1Padding for this pair; undefined when it was not. */
export function decryptedBy(
  { publicKey, privateKey }: KeyPair,
  base64: string,
): string | undefined {
  const bytes = Buffer.from(base64, 'base64')
  const modulus = Buffer.from(publicKey.export({ format: 'jwk' }).n ?? '', 'base64url')
  if (bytes.length !== modulus.length || bytes.compare(modulus) >= 0) return undefined
  // Node does not remove this padding for a private key.
  const block = privateDecrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, bytes)
  const isPadded = block[0] === 0 && block[1] === 2
  return isPadded ? block.subarray(block.indexOf(0, 2) + 1).toString() : undefined
}
