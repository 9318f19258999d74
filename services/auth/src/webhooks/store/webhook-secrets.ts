import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts webhook secrets, so that the database and its copies do not reveal them. */
export interface WebhookSecrets {
  seal(endpointId: string, secret: Buffer): Uint8Array<ArrayBuffer>
  /** Throws when it was not encrypted for this endpoint, by this service. */
  open(endpointId: string, sealed: Uint8Array): Buffer
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const secretBytes = 32

export const newSecret = (): Buffer => randomBytes(secretBytes)

/** The text form of a secret in Standard Webhooks. */
export const secretText = (secret: Buffer): string => `whsec_${secret.toString('base64')}`

/**
 * A separate key, derived from the secret that only this process has. A ciphertext of one endpoint does not decrypt
 * for another.
 */
export function openWebhookSecrets(pepper: Buffer): WebhookSecrets {
  const key = Buffer.from(hkdfSync('sha256', pepper, '', 'malipo webhook secrets', 32))
  return {
    seal(endpointId, secret) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(endpointId))
      const text = Buffer.concat([cipher.update(secret), cipher.final()])
      return Uint8Array.from(Buffer.concat([nonce, cipher.getAuthTag(), text]))
    },
    open(endpointId, bytes) {
      const sealed = Buffer.from(bytes)
      const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(Buffer.from(endpointId))
      decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
      const text = sealed.subarray(nonceBytes + tagBytes)
      return Buffer.concat([decipher.update(text), decipher.final()])
    },
  }
}
