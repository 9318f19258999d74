import { createHmac } from 'node:crypto'
import type { Country } from '@malipo/kernel/countries'

/**
 * What the database knows of a key. A key has 200 random bits, so a plain HMAC is as good as a slow hash against
 * guessing, and takes microseconds; the pepper makes a stolen table worthless even to someone who holds a list of keys.
 */
export function storedDigest(pepper: Buffer, country: Country, keySha256: Uint8Array): Buffer {
  return createHmac('sha256', pepperOf(pepper, country)).update(keySha256).digest()
}

/** Each country has a pepper of its own: what is stored of a key of one says nothing in the other. */
function pepperOf(pepper: Buffer, country: Country): Buffer {
  return createHmac('sha256', pepper).update(`pepper of ${country}`).digest()
}
