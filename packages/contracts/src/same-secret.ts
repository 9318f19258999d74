import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether a text is the secret. Digests take as long to compare however much of a guess is right. */
export function isSameSecret(given: string | Uint8Array, secret: string | Uint8Array): boolean {
  return timingSafeEqual(digest(given), digest(secret))
}

function digest(secret: string | Uint8Array): Buffer {
  return createHash('sha256').update(secret).digest()
}
