import { createHmac } from 'node:crypto'
import type { Country } from '@malipo/kernel/countries'

/**
 * The stored digest of a key. A key has 200 random bits, so a plain HMAC resists guessing as well as a slow hash, and
 * takes microseconds; the pepper makes a stolen table worthless even with a list of keys.
 */
export function storedDigest(pepper: Buffer, country: Country, keySha256: Uint8Array): Buffer {
  return createHmac('sha256', pepperOf(pepper, country)).update(keySha256).digest()
}

/** Each country has its own pepper, so that the digest of a key in one country reveals nothing in the other. */
function pepperOf(pepper: Buffer, country: Country): Buffer {
  return createHmac('sha256', pepper).update(`pepper of ${country}`).digest()
}
