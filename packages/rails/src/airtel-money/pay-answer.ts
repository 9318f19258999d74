import { readJson } from '../json'
import type { PayAnswer } from '../line'
import { causeOfRefusal, codeOf, isDuplicate, isInProcess } from './response-codes'
import { answer } from './wire'

/**
 * What Airtel's answer to a payment says about the prompt. Refusals come with HTTP 200 too, and final codes come with
 * HTTP 500 and "Something Went Wrong", so a refusal needs both: a status that is no server's fault, and a listed code.
 */
export function readPayAnswer(status: number, body: Uint8Array): PayAnswer {
  const http = `http ${String(status)}`
  if (status === 429) return { kind: 'throttled', providerCode: http }
  // The token was replaced once by now: what is left is our own standing with Airtel.
  if (status === 401) return { kind: 'refused', cause: 'refused', providerCode: http }
  const parsed = answer.safeParse(readJson(body))
  if (!parsed.success) return { kind: 'unknown', detail: http }
  if (isDuplicate(parsed.data)) return { kind: 'accepted' }
  if (status === 200 && isInProcess(parsed.data)) return { kind: 'accepted' }
  const providerCode = codeOf(parsed.data)
  const cause = readByAirtel.has(status) ? causeOfRefusal(parsed.data) : undefined
  return cause === undefined
    ? { kind: 'unknown', detail: `${http}, ${providerCode}` }
    : { kind: 'refused', cause, providerCode }
}

const readByAirtel = new Set([200, 400, 403])
