import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether a text equals the secret. Comparing digests takes the same time for every guess. */
export function isSameSecret(given: string | Uint8Array, secret: string | Uint8Array): boolean {
  return timingSafeEqual(digest(given), digest(secret))
}

function digest(secret: string | Uint8Array): Buffer {
  return createHash('sha256').update(secret).digest()
}
