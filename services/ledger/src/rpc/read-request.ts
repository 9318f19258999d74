import { Fault } from '@malipo/kernel/errors'

/** Our own processes call us, so a request that is wrong is a bug of theirs: it is refused, never repaired. */
export function readFingerprint(bytes: Buffer): Buffer {
  if (bytes.length !== 32) throw new Fault('invalid_request', { field: 'fingerprint' })
  return bytes
}
