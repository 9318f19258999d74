import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** What a payer by card gave for the card gateway only. */
export interface CardPayer {
  readonly name?: string | undefined
  readonly email?: string | undefined
  /** Digits with the country code. */
  readonly phone?: string | undefined
}

const nonceBytes = 16
const markBytes = 32

/**
 * Sealed where it comes in and opened where it goes out: what lies between, a database and its copies, cannot read it.
 * AES-256-CTR, then HMAC-SHA-256 over nonce and ciphertext, under keys of their own from the secret that the
 * gateway and the worker of a country share: mark, nonce, ciphertext.
 */
export function sealPayer(cardPayerKey: Buffer, payer: CardPayer): Buffer {
  const keys = keysOf(cardPayerKey)
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-ctr', keys.reading, nonce)
  const text = Buffer.from(JSON.stringify(payer))
  const sealed = Buffer.concat([nonce, cipher.update(text), cipher.final()])
  return Buffer.concat([markOf(keys.marking, sealed), sealed])
}

/** Undefined for what was not sealed under this secret: a payment goes on without what was optional. */
export function openPayer(cardPayerKey: Buffer, given: Buffer): CardPayer | undefined {
  if (given.length <= markBytes + nonceBytes) return undefined
  const keys = keysOf(cardPayerKey)
  const sealed = given.subarray(markBytes)
  if (!timingSafeEqual(given.subarray(0, markBytes), markOf(keys.marking, sealed))) return undefined
  const nonce = sealed.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-ctr', keys.reading, nonce)
  const opened = Buffer.concat([decipher.update(sealed.subarray(nonceBytes)), decipher.final()])
  return JSON.parse(opened.toString('utf8')) as CardPayer
}

function markOf(key: Buffer, sealed: Buffer): Buffer {
  return createHmac('sha256', key).update(sealed).digest()
}

function keysOf(cardPayerKey: Buffer): { readonly reading: Buffer; readonly marking: Buffer } {
  const both = Buffer.from(hkdfSync('sha256', cardPayerKey, '', 'malipo card payer', 64))
  return { reading: both.subarray(0, 32), marking: both.subarray(32) }
}
