import { lookup } from 'node:dns/promises'
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { DeliveryOutcome } from './ledger-deliveries'
import { isLoopbackAddress, isPublicAddress } from './public-address'

/** From the first question to the name server to the last byte of the answer. */
const totalMs = 10_000
/** Of an answer so much is read, and no more. */
const answerBytesMax = 64 * 1_024

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends one request to an address that a merchant gave. Never throws: what goes wrong is an outcome. */
export type PostWebhook = (request: WebhookRequest) => Promise<DeliveryOutcome>

export interface PostWebhookOptions {
  /** On a local stack: this machine may be sent to, also without TLS. */
  readonly mayUseLoopback: boolean
  readonly resolve?: (hostname: string) => Promise<readonly Address[]>
  readonly deadlineMs?: number
}

interface Address {
  readonly address: string
  readonly family: number
}

/** What was refused before a connection. */
class Refused extends Error {}

/**
 * The guard of the private network: https to public addresses only, the name resolved once and the connection made to
 * that very address, so that it cannot lead elsewhere a moment later; redirects are answers and are not followed.
 */
export function openPostWebhook(options: PostWebhookOptions): PostWebhook {
  const { resolve = resolveAll, deadlineMs = totalMs } = options
  return async (asked) => {
    const ended = new AbortController()
    const timedOut = wait(deadlineMs, undefined, { signal: ended.signal }).then(() => {
      throw new Refused('timeout')
    })
    try {
      const url = new URL(asked.url)
      const address = await Promise.race([timedOut, addressOf(url, { ...options, resolve })])
      return await Promise.race([timedOut, post(url, asked, { address, signal: ended.signal })])
    } catch (error) {
      return { kind: 'unanswered', failure: failureOf(error) }
    } finally {
      timedOut.catch(() => undefined)
      ended.abort()
    }
  }
}

/** The one address to connect to. A name with any address that is not allowed is refused whole. */
async function addressOf(
  url: URL,
  options: { readonly mayUseLoopback: boolean; readonly resolve: typeof resolveAll },
): Promise<Address> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const literal = isIP(host)
  const found = literal === 0 ? await options.resolve(host) : [{ address: host, family: literal }]
  const mayUse = ({ address }: Address) =>
    (url.protocol === 'https:' && isPublicAddress(address)) ||
    (options.mayUseLoopback && isLoopbackAddress(address))
  if (!['http:', 'https:'].includes(url.protocol)) throw new Refused('https_required')
  if (url.protocol === 'http:' && !found.every(mayUse)) throw new Refused('https_required')
  if (!found.every(mayUse)) throw new Refused('address_not_public')
  const chosen = found.find(({ family }) => family === 4) ?? found[0]
  if (chosen === undefined) throw new Refused('name_not_found')
  return chosen
}

const resolveAll = (hostname: string): Promise<readonly Address[]> =>
  lookup(hostname, { all: true })

function post(
  url: URL,
  { headers, body }: WebhookRequest,
  { address, signal }: { readonly address: Address; readonly signal: AbortSignal },
): Promise<DeliveryOutcome> {
  const pinned: LookupFunction = (_hostname, { all }, done) => {
    if (all === true) done(null, [address])
    else done(null, address.address, address.family)
  }
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    lookup: pinned,
    // A connection of its own, ended with its request: what is kept open would be kept open to a merchant's choice.
    agent: false,
    signal,
  }
  return new Promise((resolve, reject) => {
    const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options)
    sent.on('error', reject)
    sent.on('response', (answer) => {
      const status = answer.statusCode ?? 0
      void readBounded(answer).then(() => {
        sent.destroy()
        resolve({ kind: 'answered', status })
      })
    })
    sent.end(body)
  })
}

/** Resolves when the answer has ended, by its end, by the bound or by an error: its status is known. */
async function readBounded(answer: IncomingMessage): Promise<void> {
  let bytes = 0
  try {
    for await (const chunk of answer) {
      bytes += (chunk as Buffer).length
      if (bytes > answerBytesMax) return
    }
  } catch {
    // The status was sent, and it is all that matters.
  }
}

/** A word for the owner of the endpoint; nothing of it names what is behind an address. */
function failureOf(error: unknown): string {
  if (error instanceof Refused) return error.message
  const { code } = error as { readonly code?: unknown }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'name_not_found'
  if (code === 'ECONNREFUSED') return 'connection_refused'
  if (typeof code === 'string' && /CERT|TLS|SSL|UNABLE_TO_/.test(code)) return 'tls_failed'
  return 'connection_failed'
}
