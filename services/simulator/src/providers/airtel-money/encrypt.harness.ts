import { constants, createCipheriv, createPublicKey, publicEncrypt, randomBytes } from 'node:crypto'

/** By RSA with the padding of PKCS #1; the key as Airtel gives it. */
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

/** As airtelmoney-py signs: AES-256-CBC over the body, its key and iv by RSA. */
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
