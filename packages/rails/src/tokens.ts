import { z } from 'zod'
import { type Exchange, exchange, type ExchangeRequest, readJson } from './exchange'
import type { Prepared, RailWiring } from './rail'

export type Token =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'unavailable'; readonly detail: string }

/** The result of asking for a token. */
export type Issued =
  | { readonly kind: 'issued'; readonly token: string; readonly lifeSeconds: number }
  | { readonly kind: 'unavailable'; readonly detail: string }

/** The lifetime comes as a number or as a string, by every provider. */
const tokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive(),
})

/** Asks a provider for a token. Any other answer than a token is `unavailable`; some come without a body. */
export async function requestToken(
  request: Omit<ExchangeRequest, 'bodyBytesMax'>,
): Promise<Issued> {
  const answer = await exchange({ ...request, bodyBytesMax: 16_384 })
  if (answer.kind !== 'answered') return { kind: 'unavailable', detail: answer.detail }
  const parsed = tokenAnswer.safeParse(readJson(answer.body))
  if (!parsed.success) return { kind: 'unavailable', detail: `http ${String(answer.status)}` }
  return { kind: 'issued', token: parsed.data.access_token, lifeSeconds: parsed.data.expires_in }
}

/** A rail with a token can call its provider. */
export function preparedOf(token: Token): Prepared {
  return token.kind === 'token' ? { kind: 'ready' } : token
}

export interface Tokens {
  current(): Promise<Token>
  /** The same for a caller that may wait: resolves when the token is not about to end. */
  renewed(): Promise<Token>
  /** Forgets a token that the provider has refused, unless a newer one has taken its place meanwhile. */
  forget(token: string): void
}

export interface TokenOptions {
  readonly now: () => number
  /** A token is asked for anew so long before its end, by the next caller, who need not wait for it. */
  readonly renewMs: number
  /** It is used until so long before its end: after that a caller waits for the next one. */
  readonly earlyMs: number
}

/**
 * One token for all calls of this process. Concurrent callers share one request and get the same token. Failures
 * are not remembered.
 */
export function openTokens(issue: () => Promise<Issued>, options: TokenOptions): Tokens {
  let cached: { readonly token: string; readonly endsAtMs: number } | undefined
  let flight: Promise<Token> | undefined

  const fetchToken = async (): Promise<Token> => {
    const askedAtMs = options.now()
    const issued = await issue()
    if (issued.kind === 'unavailable') {
      return { kind: 'unavailable', detail: `no token: ${issued.detail}` }
    }
    const { token, lifeSeconds } = issued
    cached = { token, endsAtMs: askedAtMs + lifeSeconds * 1_000 }
    return { kind: 'token', token }
  }
  const renew = (): Promise<Token> => {
    flight ??= fetchToken().finally(() => {
      flight = undefined
    })
    return flight
  }
  const remainingMs = () => (cached === undefined ? 0 : cached.endsAtMs - options.now())

  return {
    async current() {
      if (cached === undefined || remainingMs() <= options.earlyMs) return renew()
      if (remainingMs() <= options.renewMs) void renew()
      return { kind: 'token', token: cached.token }
    },
    async renewed() {
      if (cached === undefined || remainingMs() <= options.renewMs) return renew()
      return { kind: 'token', token: cached.token }
    },
    forget(token) {
      if (cached?.token === token) cached = undefined
    },
  }
}

type Answered = Extract<Exchange, { kind: 'answered' }>

/**
 * Sends with a token; one that the provider refuses is replaced, and the request sent again, once. A refused
 * token means that the first request was not processed, so the second is no second prompt.
 */
export function openAuthorised(
  tokens: Tokens,
  isTokenRefused: (answer: Answered) => boolean,
  wiring: Pick<RailWiring, 'countEvent'>,
): (send: (token: string) => Promise<Exchange>) => Promise<Exchange> {
  return async (send) => {
    for (let tries = 1; ; tries += 1) {
      const token = await tokens.current()
      if (token.kind === 'unavailable') return { kind: 'not_sent', detail: token.detail }
      const answer = await send(token.token)
      if (answer.kind !== 'answered' || !isTokenRefused(answer)) return answer
      tokens.forget(token.token)
      wiring.countEvent('provider_token_refused')
      if (tries === 2) return answer
    }
  }
}
