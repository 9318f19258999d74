import { intentHex } from '../intent-hex'

/**
 * The `X-Reference-Id` of an attempt: the digits of its intent in the shape of a uuid v4, which MTN insists on. The
 * same intent always has the same one, so that a repeat is the same request; and a person can read one from the other.
 */
export function referenceIdOf(intentId: string): string {
  const hex = intentHex(intentId)
  const part = (from: number, to: number) => hex.slice(from, to)
  return `${part(0, 8)}-${part(8, 12)}-4${part(12, 15)}-8${part(15, 18)}-${part(18, 24)}000000`
}
