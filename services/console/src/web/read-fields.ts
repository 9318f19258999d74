import { z } from 'zod'

/** Base64 of exactly `bytes` bytes, or of at most so many if `isExact` is false. */
export function base64(bytes: number, { isExact = true } = {}) {
  return z
    .string()
    .max(Math.ceil(bytes / 3) * 4)
    .regex(/^[A-Za-z0-9+/]*={0,2}$/, 'must be base64')
    .transform((text) => Buffer.from(text, 'base64'))
    .refine(
      ({ length }) => (isExact ? length === bytes : length <= bytes),
      `must be ${isExact ? '' : 'at most '}${String(bytes)} bytes`,
    )
}
