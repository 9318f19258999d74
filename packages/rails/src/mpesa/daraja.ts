import {
  type Exchange,
  exchange,
  readJson,
  type Issued,
  openAuthorised,
  openTokens,
  preparedOf,
  requestToken,
} from '../exchange'
import { tooLate } from '../line'
import type { Prepared, RailWiring } from '../rail'
import { meaningOfError } from './result-codes'
import type { MpesaSettings } from './settings'
import { errorAnswer } from './wire'

/** The most time for a call, from the first byte that we send to the last byte of the answer. */
const timeoutMs = 15_000
/** A token is replaced in its last minute, not earlier: by Daraja's documents a new token ends the old one. */
const tokenEarlyMs = 60_000

/** One POST to Daraja, with a token that is good. It is not sent later than `sendByMs`. */
export type Call = (
  path: string,
  body: object,
  bodyBytesMax: number,
  sendByMs?: number,
) => Promise<Exchange>

export interface Daraja {
  readonly call: Call
  /** Checks the consumer key and secret: Daraja gives wrong ones no token. A token that is still valid is enough. */
  readonly checkCredentials: () => Promise<Prepared>
}

export function openDaraja(settings: MpesaSettings, wiring: RailWiring): Daraja {
  const tokens = openTokens(() => issueToken(settings), {
    now: wiring.now,
    renewMs: tokenEarlyMs,
    earlyMs: tokenEarlyMs,
  })
  const authorised = openAuthorised(tokens, isTokenRefused, wiring)
  const call: Call = (path, body, bodyBytesMax, sendByMs = Infinity) =>
    authorised(async (token) => {
      if (wiring.now() > sendByMs) return tooLate
      const answer = await exchange({
        method: 'POST',
        url: settings.baseUrl + path,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        timeoutMs,
        bodyBytesMax,
      })
      // A 401 in unknown words does not prove that the call was not processed: it is not repeated, but the token is
      // forgotten.
      if (answer.kind === 'answered' && answer.status === 401 && !isTokenRefused(answer)) {
        tokens.forget(token)
        wiring.countEvent('provider_token_refused')
      }
      return answer
    })
  return { call, checkCredentials: async () => preparedOf(await tokens.renewed()) }
}

function isTokenRefused({ body }: { readonly body: Uint8Array }): boolean {
  return meaningOf(body) === 'token_refused'
}

/** The meaning of an error of Daraja for our call; undefined for anything else. */
export function meaningOf(body: Uint8Array) {
  const error = errorAnswer.safeParse(readJson(body))
  return error.success ? meaningOfError(error.data)?.kind : undefined
}

/** Daraja answers this call in a second or two; a prompt must not use up its time on it. */
const tokenTimeoutMs = 10_000

function issueToken(settings: MpesaSettings): Promise<Issued> {
  const credentials = Buffer.from(`${settings.consumerKey}:${settings.consumerSecret}`)
  return requestToken({
    method: 'GET',
    url: `${settings.baseUrl}/oauth/v1/generate?grant_type=client_credentials`,
    headers: { authorization: `Basic ${credentials.toString('base64')}` },
    timeoutMs: tokenTimeoutMs,
  })
}
