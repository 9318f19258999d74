import { exchange } from '../exchange'
import { readJson } from '../json'
import type { MpesaSettings } from './settings'
import { tokenAnswer } from './wire'

export type Token =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'unavailable'; readonly detail: string }

export interface Tokens {
  current(): Promise<Token>
  /** Forgets a token that Daraja has refused, unless a newer one has taken its place meanwhile. */
  forget(token: string): void
}

/** Daraja answers this call in a second or two; a prompt must not spend its own patience on it. */
const timeoutMs = 10_000
/** A token is replaced this long before its end, so that none expires between here and Daraja. */
const earlyMs = 60_000

/**
 * One token for all calls of this process. Daraja documents that a new token ends the one before, so tokens are asked
 * for one at a time (everybody who waits gets the same) and as seldom as can be. Failures are not remembered.
 */
export function openTokens(settings: MpesaSettings, now: () => number): Tokens {
  let cached: { readonly token: string; readonly freshUntilMs: number } | undefined
  let flight: Promise<Token> | undefined

  const fetchToken = async (): Promise<Token> => {
    const askedAtMs = now()
    const answer = await exchange({
      method: 'GET',
      url: `${settings.baseUrl}/oauth/v1/generate?grant_type=client_credentials`,
      headers: { authorization: `Basic ${basicCredentials(settings)}` },
      timeoutMs,
      bodyBytesMax: 16_384,
    })
    if (answer.kind !== 'answered') return unavailable(answer.detail)
    const parsed = tokenAnswer.safeParse(readJson(answer.body))
    // Wrong credentials are answered with 400 and no body at all.
    if (!parsed.success) return unavailable(`http ${String(answer.status)}`)
    const { access_token: token, expires_in: lifeSeconds } = parsed.data
    cached = { token, freshUntilMs: askedAtMs + lifeSeconds * 1_000 - earlyMs }
    return { kind: 'token', token }
  }

  return {
    async current() {
      if (cached !== undefined && now() < cached.freshUntilMs) {
        return { kind: 'token', token: cached.token }
      }
      flight ??= fetchToken().finally(() => {
        flight = undefined
      })
      return flight
    },
    forget(token) {
      if (cached?.token === token) cached = undefined
    },
  }
}

function unavailable(detail: string): Token {
  return { kind: 'unavailable', detail: `no token: ${detail}` }
}

function basicCredentials(settings: MpesaSettings): string {
  return Buffer.from(`${settings.consumerKey}:${settings.consumerSecret}`).toString('base64')
}
