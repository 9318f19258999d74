import { exchange } from '../exchange'
import { readJson } from '../json'
import type { Issued } from '../tokens'
import type { MpesaSettings } from './settings'
import { tokenAnswer } from './wire'

/** Daraja answers this call in a second or two; a prompt must not spend its own patience on it. */
const timeoutMs = 10_000

export async function issueToken(settings: MpesaSettings): Promise<Issued> {
  const credentials = Buffer.from(`${settings.consumerKey}:${settings.consumerSecret}`)
  const answer = await exchange({
    method: 'GET',
    url: `${settings.baseUrl}/oauth/v1/generate?grant_type=client_credentials`,
    headers: { authorization: `Basic ${credentials.toString('base64')}` },
    timeoutMs,
    bodyBytesMax: 16_384,
  })
  if (answer.kind !== 'answered') return { kind: 'unavailable', detail: answer.detail }
  const parsed = tokenAnswer.safeParse(readJson(answer.body))
  // Wrong credentials are answered with 400 and no body at all.
  if (!parsed.success) return { kind: 'unavailable', detail: `http ${String(answer.status)}` }
  return { kind: 'issued', token: parsed.data.access_token, lifeSeconds: parsed.data.expires_in }
}
