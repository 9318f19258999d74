import { type Issued, requestToken } from '../tokens'
import { commonHeaders } from './outbound'
import type { MtnMomoSettings, PlatformSettings } from './settings'

/** The new platform takes 10 to 20 seconds. Tokens are fetched ahead, so a prompt seldom waits so long. */
const timeoutMs = 25_000

/**
 * Asks for a token of the Collection product. The call has no body: one would be refused, and so would no length. The
 * environment is named for the new platform, which insists on it; the other does not mind.
 */
export function issueToken(settings: MtnMomoSettings, platform: PlatformSettings): Promise<Issued> {
  const credentials = Buffer.from(`${platform.userId}:${platform.secret}`).toString('base64')
  return requestToken({
    method: 'POST',
    url: `${platform.baseUrl}/collection/token/`,
    headers: {
      authorization: `Basic ${credentials}`,
      ...commonHeaders(settings),
    },
    timeoutMs,
  })
}
