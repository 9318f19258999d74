import { constants, createCipheriv, createPublicKey, publicEncrypt, randomBytes } from 'node:crypto'

/** Encrypts a text by RSA, with PKCS #1 padding unless another is given. `key` is the DER in base64, as at Airtel. */
export function encryptFor(
  key: string,
  text: string,
  padding = constants.RSA_PKCS1_PADDING,
): string {
  const der = Buffer.from(key, 'base64')
  const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return publicEncrypt({ key: publicKey, padding }, Buffer.from(text)).toString('base64')
}

export interface Signing {
  readonly padding?: number
  readonly cipher?: 'aes-256-cbc' | 'aes-128-cbc'
}

/** Signs as airtelmoney-py does: the body encrypted by AES-256-CBC, and the AES key and iv encrypted by RSA. */
export function signFor(key: string, text: string, how: Signing = {}): Record<string, string> {
  const { padding, cipher = 'aes-256-cbc' } = how
  const aesKey = randomBytes(cipher === 'aes-256-cbc' ? 32 : 16)
  const iv = randomBytes(16)
  const encrypt = createCipheriv(cipher, aesKey, iv)
  const pair = `${aesKey.toString('base64')}:${iv.toString('base64')}`
  return {
    'x-signature': encrypt.update(text, 'utf8', 'base64') + encrypt.final('base64'),
    'x-key': encryptFor(key, pair, padding),
  }
}
