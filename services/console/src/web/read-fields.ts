import { z } from 'zod'

/** Bytes as base64, of an exact length or at most so many. */
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
