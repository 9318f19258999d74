import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts what signs webhooks, so that the database and its copies cannot read it. */
export interface WebhookSecrets {
  seal(endpointId: string, secret: Buffer): Uint8Array<ArrayBuffer>
  /** Throws when it was not sealed for this endpoint, by this service. */
  open(endpointId: string, sealed: Uint8Array): Buffer
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const secretBytes = 32

export const newSecret = (): Buffer => randomBytes(secretBytes)

/** As merchants write a secret, and as Standard Webhooks reads it. */
export const secretText = (secret: Buffer): string => `whsec_${secret.toString('base64')}`

/** A key of their own, from the secret that no other process has. What is sealed for one endpoint opens for no other. */
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
