import {
  Agent as HttpAgent,
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { addAbortSignal } from 'node:stream'
import type { Clock } from '@malipo/runtime/clock'
import { parseJson } from './parse-json'
import type { Deliver, DeliverHow, Delivery } from '../providers/rules/rail'

/** A receiver that takes longer counts as failed, unless the rail gives another `timeoutMs`. */
const patienceMs = 10_000
/** Above this many callbacks in flight a further one fails at once, so that their number stays bounded. */
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
  const { method = 'POST', timeoutMs = patienceMs, from, drip, headers = {} } = how
  const options = {
    method,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...(from !== undefined && !isLoopback(from) && { 'x-forwarded-for': from }),
    },
    ...(from !== undefined && isLoopback(from) && { localAddress: from }),
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
    const end = (rest: string | Buffer) => {
      request.end(rest)
      addAbortSignal(AbortSignal.timeout(timeoutMs), request)
    }
    if (drip === undefined) end(body)
    else sendSlowly(request, Buffer.from(body), drip, end)
  })
}

/** Local clients can bind any loopback address; another source address can only be sent in a proxy header. */
function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1'
}

const drops = 20

/** Sends the body in parts over `ms` of virtual time, and stops when the connection breaks. */
function sendSlowly(
  request: ClientRequest,
  bytes: Buffer,
  { ms, time }: NonNullable<DeliverHow['drip']>,
  end: (rest: Buffer) => void,
): void {
  const size = Math.ceil(bytes.length / drops)
  const sendFrom = (start: number) => {
    if (request.destroyed) return
    const part = bytes.subarray(start, start + size)
    if (start + size >= bytes.length) {
      end(part)
      return
    }
    request.write(part)
    time.after(ms / drops, () => {
      sendFrom(start + size)
    })
  }
  request.flushHeaders()
  time.after(ms / drops, () => {
    sendFrom(0)
  })
}

/** The code of a network error, such as `ECONNREFUSED`, else the name of the error, such as `TimeoutError`. */
function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown'
  const words: unknown[] = [Reflect.get(error, 'code'), Reflect.get(error, 'name')]
  return words.find((word) => typeof word === 'string') ?? 'unknown'
}
