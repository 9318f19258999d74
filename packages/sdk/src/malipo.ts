import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Checkout, NewCheckout } from './checkout'
import { readAnswer, retryAfterMs, send, type Request } from './send'

export interface MalipoOptions {
  /** `mkp_test_…` or `mkp_live_…`. It belongs on a server, never in a page or an app. */
  readonly secretKey: string
  /** The payments host of your country, such as `https://payments.example`. */
  readonly baseUrl: string
  /** The timeout of one answer; default 15,000. */
  readonly timeoutMs?: number
  /** The number of retries after no answer, 429, 500 or 503; default 4. */
  readonly retriesMax?: number
}

export interface CallOptions {
  readonly signal?: AbortSignal
}

export interface CreateOptions extends CallOptions {
  /**
   * 1 to 128 characters that name this order: the same key makes one checkout, however often it is sent. Without one the
   * SDK makes a key for this call, so that only its own retries are safe.
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
/** The pause between two reads when a proxy or an older host ignored the wait. */
const rereadMs = 5_000
const backoffMs = { first: 300, max: 8_000 }

export class Malipo {
  readonly checkouts: Checkouts

  constructor(options: MalipoOptions) {
    if (!/^mkp_(test|live)_/.test(options.secretKey)) {
      throw new TypeError('secretKey must be a secret key of Malipo: mkp_test_… or mkp_live_…')
    }
    if (!URL.canParse(options.baseUrl)) throw new TypeError('baseUrl must be a URL with its scheme')
    this.checkouts = new Checkouts(options)
  }
}

class Checkouts {
  readonly #options: MalipoOptions

  constructor(options: MalipoOptions) {
    this.#options = options
  }

  /** Creates a checkout. Send the payer to its `url`. Throws MalipoError and MalipoConnectionError. */
  async create(checkout: NewCheckout, options: CreateOptions = {}): Promise<Checkout> {
    const headers = {
      'content-type': 'application/json',
      'idempotency-key': options.idempotencyKey ?? randomUUID(),
    }
    const body = JSON.stringify(checkout)
    const { data } = await this.#call({ method: 'POST', path, headers, body }, options)
    return data
  }

  /** Reads a checkout. Throws MalipoError; its code is 2783 for an unknown id. */
  async retrieve(id: string, options: CallOptions = {}): Promise<Checkout> {
    const { data } = await this.#call({ method: 'GET', path: pathOf(id), headers: {} }, options)
    return data
  }

  /**
   * Waits until a checkout is `completed` or `expired`, and returns it; after `timeoutMs` as it is, perhaps still `open`.
   * The host answers within a second of the payment.
   */
  async waitForPayment(id: string, options: WaitOptions = {}): Promise<Checkout> {
    const deadline = performance.now() + (options.timeoutMs ?? 300_000)
    for (;;) {
      const leftMs = deadline - performance.now()
      const seconds = Math.min(waitMaxSeconds, Math.max(0, Math.ceil(leftMs / 1_000)))
      const headers = { prefer: `wait=${String(seconds)}` }
      const request = { method: 'GET', path: pathOf(id), headers, waitMs: seconds * 1_000 } as const
      const { data, wasHeld } = await this.#call(request, options)
      if (data.status !== 'open' || performance.now() >= deadline) return data
      if (!wasHeld) await sleep(rereadMs, undefined, abortable(options))
    }
  }

  /** Sends a request with retries: all requests of this SDK are idempotent. */
  async #call(request: Request, options: CallOptions) {
    const { secretKey, baseUrl, timeoutMs = 15_000, retriesMax = 4 } = this.#options
    for (let tries = 1; ; tries += 1) {
      options.signal?.throwIfAborted()
      const sent = await send(request, { secretKey, baseUrl, timeoutMs, ...abortable(options) })
      const waitMs = retryAfterMs(sent) ?? backoff(tries)
      if (!sent.mayBeSentAgain || tries > retriesMax) return readAnswer(sent)
      await sleep(waitMs, undefined, abortable(options))
    }
  }
}

function pathOf(id: string): string {
  return `${path}/${encodeURIComponent(id)}`
}

/** Doubled with each retry, with half of it random, so that clients do not retry together. */
function backoff(tries: number): number {
  const ms = Math.min(backoffMs.max, backoffMs.first * 2 ** (tries - 1))
  return randomInt(ms / 2, ms)
}

const abortable = ({ signal }: CallOptions) => (signal === undefined ? {} : { signal })
