import { exchange } from '../exchange'
import { readJson } from '../json'
import type { Issued } from '../tokens'
import { commonHeaders } from './outbound'
import type { MtnMomoSettings, PlatformSettings } from './settings'
import { tokenAnswer } from './wire'

/** The new platform takes 10 to 20 seconds. Tokens are fetched ahead, so a prompt seldom waits so long. */
const timeoutMs = 25_000

/**
 * Asks for a token of the Collection product. The call has no body: one would be refused, and so would no length. The
 * environment is named for the new platform, which insists on it; the other does not mind.
 */
export async function issueToken(
  settings: MtnMomoSettings,
  platform: PlatformSettings,
): Promise<Issued> {
  const credentials = Buffer.from(`${platform.userId}:${platform.secret}`).toString('base64')
  const answer = await exchange({
    method: 'POST',
    url: `${platform.baseUrl}/collection/token/`,
    headers: {
      authorization: `Basic ${credentials}`,
      ...commonHeaders(settings),
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
