import { createHash } from 'node:crypto'

/**
 * What an Idempotency-Key is bound to: the SHA-256 of the validated, normalised input. Names are sorted and absent
 * fields left out, so neither the order of a body nor a field that the interface gains one day changes the
 * fingerprint of the same input.
 */
export function fingerprintOf(
  input: Readonly<Record<string, string | number | undefined>>,
): Buffer {
  const given = Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(given)).digest()
}
