import { exchange } from '../exchange'
import { readJson } from '../json'
import type { Issued } from '../tokens'
import type { AirtelMoneySettings } from './settings'
import { tokenAnswer } from './wire'

/** A prompt must not spend its own patience on the token. */
const timeoutMs = 10_000

export async function issueToken(settings: AirtelMoneySettings): Promise<Issued> {
  const answer = await exchange({
    method: 'POST',
    url: `${settings.baseUrl}/auth/oauth2/token`,
    headers: { accept: '*/*', 'content-type': 'application/json' },
    body: JSON.stringify({
      client_id: settings.clientId,
      client_secret: settings.clientSecret,
      grant_type: 'client_credentials',
    }),
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
