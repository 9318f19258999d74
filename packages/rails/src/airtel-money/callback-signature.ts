import { createHmac } from 'node:crypto'
import { isSameSecret } from '@malipo/contracts/same-secret'
import { readJson } from '../json'
import type { SignatureCheck } from '../rail'
import { signedCallback } from './wire'

/**
 * Checks `hash`: base64 of HMAC-SHA256 with the callback key. The signed bytes are undocumented; integrators use the
 * compact JSON of `transaction` in the order received. So a wrong signature is counted, and the callback is kept.
 */
export function checkSignature(body: Uint8Array, callbackKey: string | undefined): SignatureCheck {
  const parsed = signedCallback.safeParse(readJson(body))
  if (callbackKey === undefined || !parsed.success || parsed.data.hash === undefined)
    return 'absent'
  const ours = createHmac('sha256', callbackKey)
    .update(JSON.stringify(parsed.data.transaction))
    .digest()
  const theirs = Buffer.from(parsed.data.hash, 'base64')
  return isSameSecret(theirs, ours) ? 'right' : 'wrong'
}
