import { constants, createCipheriv, publicEncrypt, randomBytes } from 'node:crypto'

/**
 * The headers that sign a message of v2. Airtel decrypts `x-key`, encrypts the body that came and compares the outcome with
 * `x-signature`, so what is signed must be sent byte for byte.
 */
export function signatureOf(body: string, publicKey: string): Record<string, string> {
  const key = randomBytes(32)
  const iv = randomBytes(16)
  const cipher = createCipheriv('aes-256-cbc', key, iv)
  const signature = Buffer.concat([cipher.update(body, 'utf8'), cipher.final()])
  const keyAndIv = Buffer.from(`${key.toString('base64')}:${iv.toString('base64')}`)
  // Airtel takes this padding alone.
  const padding = constants.RSA_PKCS1_PADDING
  return {
    'x-signature': signature.toString('base64'),
    'x-key': publicEncrypt({ key: publicKey, padding }, keyAndIv).toString('base64'),
  }
}
