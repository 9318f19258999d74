import type { SessionOutcome } from '@malipo/kernel/provider-fact'
import { readJson } from '../json'
import { errorAnswer, sessionAnswer } from './wire'

/** Malformed, not let in, or not switched on for this merchant: asking again would not help. */
const refusedUnread = new Set([400, 401, 403])

/**
 * Reads the answer to INITIATE_CHECKOUT. Unlike a lost prompt, a lost session is certain: no payer can pay in a session
 * whose id did not reach us.
 */
export function readSessionAnswer(status: number, body: Uint8Array): SessionOutcome {
  const json = readJson(body)
  const opened = sessionAnswer.safeParse(json)
  if (status < 300 && opened.success) {
    const { session, successIndicator } = opened.data
    return { kind: 'opened', sessionId: session.id, successIndicator }
  }
  const error = errorAnswer.safeParse(json)
  const http = `http ${String(status)}`
  const providerCode = error.success ? error.data.error.cause : http
  if (refusedUnread.has(status)) return { kind: 'refused', cause: 'refused', providerCode }
  return { kind: 'not_opened', detail: error.success ? `${http}, ${providerCode}` : http }
}
