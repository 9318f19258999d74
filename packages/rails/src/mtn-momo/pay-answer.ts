import { readJson } from '../json'
import type { PayAnswer } from '../line'
import { causeOfError } from './error-codes'
import { errorAnswer } from './wire'

/**
 * What MTN's answer to a request to pay says about the prompt. 202 has no body; 409 says that this reference, which is
 * ours alone, is there already. A firewall's page comes with 200, and so proves nothing.
 */
export function readPayAnswer(status: number, body: Uint8Array): PayAnswer {
  if (status === 202 || status === 409) return { kind: 'accepted' }
  const http = `http ${String(status)}`
  const error = errorAnswer.safeParse(readJson(body))
  const providerCode = error.success ? error.data.code : http
  if (status === 429) return { kind: 'throttled', providerCode }
  const cause = causeOfError(status, providerCode)
  if (cause !== undefined) return { kind: 'refused', cause, providerCode }
  return { kind: 'unknown', detail: error.success ? `${http}, ${providerCode}` : http }
}
