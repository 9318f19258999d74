import { Fault } from '@malipo/kernel/errors'

/** Our own processes call us, so a request that is wrong is a bug of theirs: it is refused, never repaired. */
export function readFingerprint(bytes: Buffer): Buffer {
  if (bytes.length !== 32) throw new Fault('invalid_request', { field: 'fingerprint' })
  return bytes
}

/** So many rows fit in one message, however long their texts are. */
const pageMax = 50
const searchLengthMax = 64

export function readPageLimit(limit: number): number {
  if (limit < 1 || limit > pageMax) throw new Fault('invalid_request', { field: 'limit' })
  return limit
}

export function readSearch(text: string): string {
  if (text.length > searchLengthMax) throw new Fault('invalid_request', { field: 'search' })
  return text
}
