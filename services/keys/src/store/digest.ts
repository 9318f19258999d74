import { createHmac } from 'node:crypto'

/**
 * What the database knows of a key. A key has 200 random bits, so a plain HMAC is as good as a slow hash against
 * guessing, and takes microseconds; the pepper makes a stolen table worthless even to someone who holds a list of keys.
 */
export function storedDigest(pepper: Buffer, keySha256: Uint8Array): Buffer {
  return createHmac('sha256', pepper).update(keySha256).digest()
}
