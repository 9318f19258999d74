import type { SubmitOutcome } from '@malipo/kernel/provider-fact'
import { readJson } from '../json'
import type { Throttled } from '../line'
import { meaningOfError } from './error-codes'
import { type ErrorAnswer, errorAnswer, pushAnswer } from './wire'

/**
 * What Daraja's answer to a push says about the prompt. Only a listed error proves that no phone rings; whatever
 * cannot be read, from an opaque 500 to a firewall's HTML, leaves it open.
 */
export function readPushAnswer(status: number, body: Uint8Array): SubmitOutcome | Throttled {
  const json = readJson(body)
  const answer = pushAnswer.safeParse(json)
  if (answer.success && answer.data.ResponseCode === '0' && status === 200) {
    return { kind: 'accepted', providerRequestId: answer.data.CheckoutRequestID }
  }
  const error = errorAnswer.safeParse(json)
  if (!error.success) return { kind: 'unknown', detail: `http ${String(status)}` }
  return readPushError(status, error.data)
}

function readPushError(status: number, error: ErrorAnswer): SubmitOutcome | Throttled {
  const providerCode = error.code
  const meaning = meaningOfError(error)
  switch (meaning?.kind) {
    case 'refused':
      return { kind: 'refused', cause: meaning.cause, providerCode }
    case 'throttled':
      return { kind: 'throttled', providerCode }
    case 'token_refused':
      // The client has tried a fresh token by now: what is left is our own standing with Daraja.
      return { kind: 'refused', cause: 'refused', providerCode }
    case 'processing':
    case undefined:
      return { kind: 'unknown', detail: `http ${String(status)}, ${providerCode}` }
  }
}
