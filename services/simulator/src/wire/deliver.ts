import {
  Agent as HttpAgent,
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Clock } from '@malipo/runtime/clock'
import { parseJson } from './parse-json'
import type { Deliver, DeliverHow, Delivery } from '../providers/rules/rail'

/** By default a slower receiver counts as failed. */
const patienceMs = 10_000
/** Above this many waiting callbacks the receiver counts as down, so that the queue stays bounded. */
const inFlightMax = 5_000

/**
 * Idle sockets are closed before servers usually do: otherwise a callback could fail on a socket that the receiver
 * just closed.
 */
const agentOptions = { keepAlive: true, maxSockets: 128, timeout: 4_000 }

/** Sends callbacks over kept-alive connections. Never throws: every outcome is a value. */
export function openDelivery(clock: Clock): { deliver: Deliver; stop: () => void } {
  const http = new HttpAgent(agentOptions)
  const https = new HttpsAgent(agentOptions)
  let inFlight = 0

  const deliver: Deliver = async (url, body, how = {}) => {
    const startedAtMs = clock.now()
    const tookMs = () => clock.now() - startedAtMs
    if (inFlight >= inFlightMax) return { kind: 'failed', reason: 'too many in flight', tookMs: 0 }
    inFlight += 1
    try {
      const answer = await send(new URL(url), body, how, { http, https })
      return { kind: 'answered', ...answer, tookMs: tookMs() }
    } catch (error) {
      return { kind: 'failed', reason: reasonOf(error), tookMs: tookMs() } satisfies Delivery
    } finally {
      inFlight -= 1
    }
  }

  return {
    deliver,
    stop() {
      http.destroy()
      https.destroy()
    },
  }
}

interface Agents {
  readonly http: HttpAgent
  readonly https: HttpsAgent
}

/** A receiver's answer is short; the rest is read and dropped, so that the connection can be reused. */
const answerBytesMax = 4_096

interface Received {
  readonly status: number
  readonly json: unknown
  readonly text: string
}

async function send(url: URL, body: string, how: DeliverHow, agents: Agents): Promise<Received> {
  const { method = 'POST', timeoutMs = patienceMs, from, dripMs = 0, headers = {} } = how
  const options = {
    method,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...(from !== undefined && !isLoopback(from) && { 'x-forwarded-for': from }),
    },
    ...(from !== undefined && isLoopback(from) && { localAddress: from }),
    signal: AbortSignal.timeout(timeoutMs),
  }
  return new Promise((resolve, reject) => {
    const answered = (response: IncomingMessage) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        if (text.length < answerBytesMax) text += chunk
      })
      response.once('error', reject)
      response.once('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          json: parseJson(text),
          text: text.slice(0, answerBytesMax),
        })
      })
    }
    const request =
      url.protocol === 'https:'
        ? requestHttps(url, { ...options, agent: agents.https }, answered)
        : requestHttp(url, { ...options, agent: agents.http }, answered)
    request.once('error', reject)
    if (dripMs === 0) request.end(body)
    else drip(request, body, dripMs)
  })
}

/** Local clients can bind any loopback address; another source address can only be sent in a proxy header. */
function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1'
}

const drops = 20

/** Sends the body a little at a time. */
function drip(request: ClientRequest, body: string, ms: number): void {
  const bytes = Buffer.from(body)
  const size = Math.ceil(bytes.length / drops)
  let sent = 0
  const timer = setInterval(() => {
    request.write(bytes.subarray(sent, sent + size))
    sent += size
    if (sent < bytes.length) return
    clearInterval(timer)
    request.end()
  }, ms / drops)
  request.once('close', () => {
    clearInterval(timer)
  })
}

/** The code of a network error, such as `ECONNREFUSED`, or the name of another, such as `TimeoutError`. */
function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown'
  const words: unknown[] = [Reflect.get(error, 'code'), Reflect.get(error, 'name')]
  return words.find((word) => typeof word === 'string') ?? 'unknown'
}
