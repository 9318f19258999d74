import type { Exchange } from './exchange'
import type { RailWiring } from './rail'

export type Token =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'unavailable'; readonly detail: string }

/** What came of asking for a token. */
export type Issued =
  | { readonly kind: 'issued'; readonly token: string; readonly lifeSeconds: number }
  | { readonly kind: 'unavailable'; readonly detail: string }

export interface Tokens {
  current(): Promise<Token>
  /** Forgets a token that the provider has refused, unless a newer one has taken its place meanwhile. */
  forget(token: string): void
}

/**
 * One token for all calls of this process, replaced `earlyMs` before its end. It is asked for one at a time: everybody
 * who waits gets the same one. Failures are not remembered.
 */
export function openTokens(
  issue: () => Promise<Issued>,
  options: { readonly now: () => number; readonly earlyMs: number },
): Tokens {
  let cached: { readonly token: string; readonly freshUntilMs: number } | undefined
  let flight: Promise<Token> | undefined

  const fetchToken = async (): Promise<Token> => {
    const askedAtMs = options.now()
    const issued = await issue()
    if (issued.kind === 'unavailable') {
      return { kind: 'unavailable', detail: `no token: ${issued.detail}` }
    }
    const { token, lifeSeconds } = issued
    cached = { token, freshUntilMs: askedAtMs + lifeSeconds * 1_000 - options.earlyMs }
    return { kind: 'token', token }
  }

  return {
    async current() {
      if (cached !== undefined && options.now() < cached.freshUntilMs) {
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

type Answered = Extract<Exchange, { kind: 'answered' }>

/**
 * Sends with a token; one that the provider refuses is replaced, and the request sent again, once. The door turned the
 * first one away before anybody read it, so the second is no second prompt.
 */
export function openAuthorised(
  tokens: Tokens,
  isTokenRefused: (answer: Answered) => boolean,
  wiring: Pick<RailWiring, 'happened'>,
): (send: (token: string) => Promise<Exchange>) => Promise<Exchange> {
  return async (send) => {
    for (let tries = 1; ; tries += 1) {
      const token = await tokens.current()
      if (token.kind === 'unavailable') return { kind: 'not_sent', detail: token.detail }
      const answer = await send(token.token)
      if (answer.kind !== 'answered' || !isTokenRefused(answer)) return answer
      tokens.forget(token.token)
      wiring.happened('provider_token_refused')
      if (tries === 2) return answer
    }
  }
}
