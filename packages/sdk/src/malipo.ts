import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Checkout, NewCheckout } from './checkout'
import { readAnswer } from './read-answer'
import { retryAfterMs, send, type Request, type Sent } from './send'

export interface MalipoOptions {
  /** `mkp_test_…` or `mkp_live_…`. It belongs on a server, never in a page or an app. */
  readonly secretKey: string
  /** The payments host of your country, such as `https://payments.example`; http for this machine only. */
  readonly baseUrl: string
  /** The timeout of one answer; default 15,000. */
  readonly timeoutMs?: number
  /** The number of retries after no answer, 429 or 5xx; default 4. No retry begins over 30 seconds after the call. */
  readonly retriesMax?: number
}

export interface CallOptions {
  readonly signal?: AbortSignal
}

export interface CreateOptions extends CallOptions {
  /**
   * 1 to 128 visible ASCII characters that name this order: the same key makes one checkout, however often it is sent.
   * Without a key the SDK makes one for this call, so that only the retries of this call are safe.
   */
  readonly idempotencyKey?: string
}

export interface WaitOptions extends CallOptions {
  /** The longest wait, after which the checkout is returned as it is; default 300,000. */
  readonly timeoutMs?: number
}

const path = '/v1/payments/merchant/checkouts'
/** The longest wait that the API supports (`Prefer: wait`). */
const waitMaxSeconds = 60
/** The pause between two reads when the host or a proxy ignored the wait. */
const rereadMs = 10_000
/** The part of a wait that is reserved for its last answer. */
const lastAnswerMs = 1_000
/** The longest time that a call spends on retries, because a payer may wait for it. */
const retriesMs = 30_000
const backoffMs = { first: 300, max: 8_000 }

export class Malipo {
  readonly checkouts: Checkouts

  constructor(options: MalipoOptions) {
    // The message does not repeat the value, because this error may be logged.
    if (!/^mkp_(test|live)_[!-~]*$/.test(options.secretKey)) {
      throw new TypeError(
        'secretKey must be a secret key of Malipo: mkp_test_… or mkp_live_…, without spaces and line breaks',
      )
    }
    if (!isSafeUrl(options.baseUrl)) {
      throw new TypeError(
        'baseUrl must be a URL with https://, because http shows the key to the network. Only this machine may be called by http://',
      )
    }
    this.checkouts = new Checkouts(options)
  }
}

class Checkouts {
  readonly #options: MalipoOptions

  constructor(options: MalipoOptions) {
    this.#options = options
  }

  /**
   * Creates a checkout. Send the payer to its `url`. Throws MalipoError and MalipoConnectionError, and TypeError for an
   * `idempotencyKey` that cannot be sent.
   */
  async create(checkout: NewCheckout, options: CreateOptions = {}): Promise<Checkout> {
    const idempotencyKey: unknown = options.idempotencyKey ?? randomUUID()
    if (typeof idempotencyKey !== 'string' || !/^[!-~]{1,128}$/.test(idempotencyKey)) {
      throw new TypeError('idempotencyKey must be 1 to 128 visible ASCII characters')
    }
    const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey }
    const body = JSON.stringify(checkout)
    return readAnswer(await this.#call({ method: 'POST', path, headers, body }, options)).data
  }

  /** Reads a checkout. Throws MalipoError; its code is 2783 for an unknown id. */
  async retrieve(id: string, options: CallOptions = {}): Promise<Checkout> {
    return readAnswer(await this.#call(readOf(id), options)).data
  }

  /**
   * Waits until a checkout is `completed` or `expired`, and returns it. After `timeoutMs` it returns the checkout as it
   * was last read, perhaps still `open`. The host answers within a second of the payment. Throws as `retrieve` does.
   */
  async waitForPayment(id: string, options: WaitOptions = {}): Promise<Checkout> {
    const deadline = performance.now() + (options.timeoutMs ?? 300_000)
    // The first read asks for no wait, so that there is a checkout to return when later reads fail.
    let { data } = readAnswer(await this.#call(readOf(id), options, deadline))
    let failures = 0
    let pauseMs = 0
    while (data.status === 'open' && performance.now() < deadline) {
      await sleep(Math.min(pauseMs, deadline - performance.now()), undefined, abortable(options))
      const held = readOf(id, deadline - performance.now())
      const sent = await this.#send(held, options, deadline)
      if (sent.mayBeSentAgain) {
        failures += 1
        pauseMs = pauseOf(sent, failures)
        if (performance.now() + pauseMs > deadline) return data
      } else {
        const answer = readAnswer(sent)
        data = answer.data
        failures = 0
        pauseMs = answer.wasHeld ? 0 : rereadMs
      }
    }
    return data
  }

  /** Sends a request with retries, which are safe for every request of this SDK. */
  async #call(request: Request, options: CallOptions, deadline = Infinity): Promise<Sent> {
    const { retriesMax = 4 } = this.#options
    const retriesEnd = Math.min(deadline, performance.now() + retriesMs)
    for (let tries = 1; ; tries += 1) {
      const sent = await this.#send(request, options, tries === 1 ? deadline : retriesEnd)
      const pauseMs = pauseOf(sent, tries)
      const isOver = tries > retriesMax || performance.now() + pauseMs > retriesEnd
      if (isOver || !sent.mayBeSentAgain) return sent
      await sleep(pauseMs, undefined, abortable(options))
    }
  }

  /** Sends a request once. It ends at its timeout or at `endsAt`, but has at least a second for the answer. */
  async #send(request: Request, options: CallOptions, endsAt: number): Promise<Sent> {
    const { secretKey, baseUrl, timeoutMs = 15_000 } = this.#options
    options.signal?.throwIfAborted()
    const leftMs = Math.max(lastAnswerMs, endsAt - performance.now())
    const answerMs = Math.ceil(Math.min(timeoutMs + (request.waitMs ?? 0), leftMs))
    return send(request, { secretKey, baseUrl, timeoutMs: answerMs, ...abortable(options) })
  }
}

/** The pause that the host asks for, and never less than the backoff: `Retry-After` may be 0. */
function pauseOf(sent: Sent, failures: number): number {
  return Math.max(retryAfterMs(sent) ?? 0, backoff(failures))
}

/** A read of a checkout that asks the host to wait for most of `leftMs` until the checkout changes. */
function readOf(id: string, leftMs = 0): Request {
  const request = { method: 'GET', path: `${path}/${encodeURIComponent(id)}` } as const
  const seconds = Math.min(waitMaxSeconds, Math.floor((leftMs - lastAnswerMs) / 1_000))
  if (seconds < 1) return { ...request, headers: {} }
  return { ...request, headers: { prefer: `wait=${String(seconds)}` }, waitMs: seconds * 1_000 }
}

/** Whether a URL is https, or http to this machine: other http would send the key unencrypted. */
function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  const isLoopback = ['localhost', '[::1]'].includes(hostname) || /^127(\.\d+){3}$/.test(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback)
}

/** The pause doubles with each retry, and half of it is random, so that clients do not retry together. */
function backoff(tries: number): number {
  const ms = Math.min(backoffMs.max, backoffMs.first * 2 ** (tries - 1))
  return randomInt(ms / 2, ms)
}

const abortable = ({ signal }: CallOptions) => (signal === undefined ? {} : { signal })
