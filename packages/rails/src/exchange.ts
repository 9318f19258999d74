import { Readable } from 'node:stream'
import type { Fact } from '@malipo/kernel/provider-fact'
import { z } from 'zod'
import type { Prepared, RailWiring } from './rail'

/** The end of one HTTP exchange with a provider. The rail reads the meaning of the answer. */
export type Exchange =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly headers: Headers
      readonly body: Uint8Array
    }
  /** Proven: no byte of the request left us. */
  | { readonly kind: 'not_sent'; readonly detail: string }
  /** The request may have arrived; its answer did not. */
  | { readonly kind: 'lost'; readonly detail: string }

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** From the first byte out to the last byte in. */
  readonly timeoutMs: number
  readonly bodyBytesMax: number
}

/** Never throws, follows no redirect (it would repeat a prompt), and stops reading at the given maximum. */
export async function exchange(request: ExchangeRequest): Promise<Exchange> {
  const limit = AbortSignal.timeout(request.timeoutMs)
  return fetch(request.url, {
    method: request.method,
    headers: request.headers,
    redirect: 'error',
    signal: limit,
    ...(request.body === undefined ? {} : { body: request.body }),
  })
    .then(async (response): Promise<Exchange> => {
      const { status, headers } = response
      const body = await readBounded(response, request.bodyBytesMax, limit)
      if (body !== undefined) return { kind: 'answered', status, headers, body }
      if (!tellingStatuses.has(status)) return { kind: 'lost', detail: 'answer too large' }
      return { kind: 'answered', status, headers, body: Buffer.of() }
    })
    .catch(brokenOff)
}

/** Statuses that say enough without a body: the token, our credentials or the rate of our calls is refused. */
const tellingStatuses: ReadonlySet<number> = new Set([401, 403, 429])

/**
 * Reads a body; undefined if it is longer than `bytesMax`. The deadline is passed to the stream as well, because with
 * `redirect: 'error'` fetch may lose its signal after the headers (Node 20 and 22).
 */
async function readBounded(
  { body }: Response,
  bytesMax: number,
  limit: AbortSignal,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  if (body === null) return Buffer.of()
  const stream: AsyncIterable<Uint8Array> = Readable.fromWeb(body, { signal: limit })
  for await (const chunk of stream) {
    bytes += chunk.byteLength
    // Leaving the loop also cancels the stream, and so closes the socket.
    if (bytes > bytesMax) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Error codes of name resolution and connection setup, which prove that no byte was sent. */
const beforeTheWire = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'])
/** Error codes that prove it only for the syscall `connect`: on an open connection the request may have arrived. */
const whileConnecting = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'])

function brokenOff(error: unknown): Exchange {
  // fetch wraps the network's own error; a timeout comes unwrapped.
  const cause = fieldOf(error, 'cause') ?? error
  const code = textOf(cause, 'code')
  const notSent =
    beforeTheWire.has(code) || (whileConnecting.has(code) && textOf(cause, 'syscall') === 'connect')
  const detail = code === '' ? `${textOf(cause, 'name')}: ${textOf(cause, 'message')}` : code
  return { kind: notSent ? 'not_sent' : 'lost', detail: detail.slice(0, 200) }
}

function textOf(value: unknown, key: string): string {
  const field = fieldOf(value, key)
  return typeof field === 'string' ? field : ''
}

/** Errors of fetch may come from another realm, so they are asked for their fields and not for their class. */
function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

/** The JSON of a provider's body, or undefined when it is none: cut off, HTML, empty, or not UTF-8. */
export function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    // A provider may send anything, so a body that is not JSON is an expected result and no error of ours.
    return undefined
  }
}

export function unreadable(detail: string): Fact {
  return { kind: 'unreadable', detail }
}

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

/** A rail counts as `ready` once it has a token. */
export function preparedOf(token: Token): Prepared {
  return token.kind === 'token' ? { kind: 'ready' } : token
}

export interface Tokens {
  current(): Promise<Token>
  /** Waits for a new token in the last `renewMs` of the old one: for calls that no payer waits for. */
  renewed(): Promise<Token>
  /** Forgets a token that the provider has refused, unless a newer one has replaced it. */
  forget(token: string): void
}

export interface TokenOptions {
  readonly now: () => number
  /** This long before a token's end, the next caller starts to fetch its successor, and still uses the old one. */
  readonly renewMs: number
  /** This long before a token's end it is no longer used: callers wait for its successor. */
  readonly earlyMs: number
}

/**
 * One token for all calls of this process. Concurrent callers share one request for it. After a failure the next caller
 * asks the provider again.
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
 * Sends a request with a token. If the provider refuses the token, the request is sent once more with a new one: a
 * request with a refused token was not processed, so the payer gets no second prompt.
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
