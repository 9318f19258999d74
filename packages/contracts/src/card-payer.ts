import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** The data that a card payer enters for the card gateway only. */
export interface CardPayer {
  readonly name?: string | undefined
  readonly email?: string | undefined
  /** Digits with the country code. */
  readonly phone?: string | undefined
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts the payer's data in the gateway for the worker, so that the database and its copies cannot read it.
 * AES-256-GCM under a key from the secret that the gateway and the worker of a country share: nonce, tag, ciphertext.
 */
export function sealPayer(cardPayerKey: Buffer, payer: CardPayer): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, keyOf(cardPayerKey), nonce)
  const text = Buffer.concat([cipher.update(JSON.stringify(payer)), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text])
}

/** Undefined for text not encrypted under this secret: the payment continues without the optional data. */
export function openPayer(cardPayerKey: Buffer, sealed: Buffer): CardPayer | undefined {
  if (sealed.length <= nonceBytes + tagBytes) return undefined
  const nonce = sealed.subarray(0, nonceBytes)
  const decipher = createDecipheriv(algorithm, keyOf(cardPayerKey), nonce, {
    authTagLength: tagBytes,
  })
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  const opened = decipher.update(sealed.subarray(nonceBytes + tagBytes))
  try {
    decipher.final()
  } catch {
    return undefined
  }
  return JSON.parse(opened.toString('utf8')) as CardPayer
}

function keyOf(cardPayerKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', cardPayerKey, '', 'malipo card payer, AES-GCM', 32))
}
