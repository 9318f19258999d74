import { lookup, Resolver } from 'node:dns/promises'
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { DeliveryOutcome } from '@malipo/ledger-client/deliveries'
import { isLoopbackAddress, isPublicAddress } from './public-address'

/** The deadline of a request, from the first DNS query to the last byte of the answer. */
const totalMs = 10_000
/** The most bytes that are read of an answer. */
const answerBytesMax = 64 * 1_024

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends one request to a merchant's URL. Never throws: every error is an outcome. */
export type PostWebhook = (request: WebhookRequest) => Promise<DeliveryOutcome>

export interface PostWebhookOptions {
  /** On a local stack only: allows this machine as a target, also without TLS. */
  readonly mayUseLoopback: boolean
  /** Set by tests only; otherwise the name servers of this machine. */
  readonly nameServers?: readonly string[]
  readonly deadlineMs?: number
}

interface Address {
  readonly address: string
  readonly family: number
}

/** A failure that we decide on, such as a forbidden address or the deadline. Its message is the outcome's `failure`. */
class Refused extends Error {}

/**
 * Guards the private network: https to public addresses only; the name is resolved once and that address is used, so
 * that a second DNS answer cannot redirect the request; HTTP redirects are not followed.
 */
export function openPostWebhook(options: PostWebhookOptions): PostWebhook {
  const { deadlineMs = totalMs } = options
  return async (request) => {
    const ended = new AbortController()
    const timedOut = wait(deadlineMs, undefined, { signal: ended.signal }).then(() => {
      throw new Refused('timeout')
    })
    try {
      const url = new URL(request.url)
      const address = await Promise.race([timedOut, addressOf(url, options, ended.signal)])
      return await Promise.race([timedOut, post(url, request, { address, signal: ended.signal })])
    } catch (error) {
      return { kind: 'unanswered', failure: failureOf(error) }
    } finally {
      timedOut.catch(() => undefined)
      ended.abort()
    }
  }
}

/** The address to connect to. A name with any forbidden address is refused entirely. */
async function addressOf(
  url: URL,
  options: PostWebhookOptions,
  signal: AbortSignal,
): Promise<Address> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const literal = isIP(host)
  const found =
    literal === 0 ? await addressesOf(host, options, signal) : [{ address: host, family: literal }]
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

/**
 * All addresses of a name, resolved without a thread and until the deadline only. `lookup` would occupy one of the few
 * threads by which this process finds providers, Redis and the ledger, while a merchant's name server is silent.
 */
async function addressesOf(
  hostname: string,
  { mayUseLoopback, nameServers }: PostWebhookOptions,
  signal: AbortSignal,
): Promise<readonly Address[]> {
  // Name servers do not know `localhost`.
  if (mayUseLoopback && hostname === 'localhost') return lookup(hostname, { all: true })
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (nameServers !== undefined) resolver.setServers(nameServers)
  signal.addEventListener('abort', () => {
    resolver.cancel()
  })
  const of = (family: number) => (addresses: readonly string[]) =>
    addresses.map((address) => ({ address, family }))
  const answers = await Promise.allSettled([
    resolver.resolve4(hostname).then(of(4)),
    resolver.resolve6(hostname).then(of(6)),
  ])
  // A name may have addresses of one family only; the question for the other then fails.
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

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
    // Every request has its own connection, closed afterwards: a kept connection would go to an address of the
    // merchant's choice.
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

/** Resolves when the answer ended, was cut at the bound, or broke off: its status is known. */
async function readBounded(answer: IncomingMessage): Promise<void> {
  let bytes = 0
  try {
    for await (const chunk of answer) {
      bytes += (chunk as Buffer).length
      if (bytes > answerBytesMax) return
    }
  } catch {
    // Only the status matters, and it has arrived.
  }
}

/** A short error for the endpoint's owner; it reveals nothing about the network behind an address. */
function failureOf(error: unknown): string {
  if (error instanceof Refused) return error.message
  const { code } = error as { readonly code?: unknown }
  if (code === 'ECONNREFUSED') return 'connection_refused'
  if (typeof code === 'string' && /CERT|TLS|SSL|UNABLE_TO_/.test(code)) return 'tls_failed'
  return 'connection_failed'
}
