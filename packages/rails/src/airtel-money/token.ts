import { type Issued, requestToken } from '../tokens'
import type { AirtelMoneySettings } from './settings'

/** A prompt must not spend its own patience on the token. */
const timeoutMs = 10_000

export function issueToken(settings: AirtelMoneySettings): Promise<Issued> {
  return requestToken({
    method: 'POST',
    url: `${settings.baseUrl}/auth/oauth2/token`,
    headers: { accept: '*/*', 'content-type': 'application/json' },
    body: JSON.stringify({
      client_id: settings.clientId,
      client_secret: settings.clientSecret,
      grant_type: 'client_credentials',
    }),
    timeoutMs,
  })
}
