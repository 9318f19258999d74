import { type Issued, requestToken } from '../tokens'
import type { MpesaSettings } from './settings'

/** Daraja answers this call in a second or two; a prompt must not spend its own patience on it. */
const timeoutMs = 10_000

export function issueToken(settings: MpesaSettings): Promise<Issued> {
  const credentials = Buffer.from(`${settings.consumerKey}:${settings.consumerSecret}`)
  return requestToken({
    method: 'GET',
    url: `${settings.baseUrl}/oauth/v1/generate?grant_type=client_credentials`,
    headers: { authorization: `Basic ${credentials.toString('base64')}` },
    timeoutMs,
  })
}
