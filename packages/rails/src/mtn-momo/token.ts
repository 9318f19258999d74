import { exchange } from '../exchange'
import { readJson } from '../json'
import type { Issued } from '../tokens'
import type { MtnMomoSettings } from './settings'
import { tokenAnswer } from './wire'

/** A prompt must not spend its own patience on the token. */
const timeoutMs = 10_000

/** Asks for a token of the Collection product. The call has no body: one would be refused, and so would no length. */
export async function issueToken(settings: MtnMomoSettings): Promise<Issued> {
  const credentials = Buffer.from(`${settings.apiUser}:${settings.apiKey}`).toString('base64')
  const answer = await exchange({
    method: 'POST',
    url: `${settings.baseUrl}/collection/token/`,
    headers: {
      authorization: `Basic ${credentials}`,
      'ocp-apim-subscription-key': settings.subscriptionKey,
    },
    timeoutMs,
    bodyBytesMax: 16_384,
  })
  if (answer.kind !== 'answered') return { kind: 'unavailable', detail: answer.detail }
  const parsed = tokenAnswer.safeParse(readJson(answer.body))
  if (!parsed.success) return { kind: 'unavailable', detail: `http ${String(answer.status)}` }
  return {
    kind: 'issued',
    token: parsed.data.access_token,
    lifeSeconds: parsed.data.expires_in,
  }
}
