import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { openProgress } from '@malipo/testing/command'

export interface OpenOrdersOptions {
  readonly baseUrl: string
  readonly secretKey: string
  /** How many orders are opened first; then each new one replaces one that is paid. */
  readonly orders: number
  readonly seconds: number
  readonly phoneOf: () => string
}

export interface OpenOrders {
  readonly created: number
  readonly completed: number
  /** How many responses the account got, by status. */
  readonly answers: Readonly<Record<string, number>>
  /** The most requests of the account within 60 seconds. */
  readonly perMinuteMax: number
}

/** An order costs two requests in its first minute, and the interface allows an account 120. */
const beginEveryMs = 1_500
/** How often an order is paid and a new one made, which costs four requests. */
const payEveryMs = 6_000

interface Body {
  readonly data?: { readonly id: string; readonly status: string }
}

/** Keeps many orders of one account open, follows each by waiting reads, and never repeats a refused request. */
export async function keepOrdersOpen(options: OpenOrdersOptions): Promise<OpenOrders> {
  const shop = new OpenShop(options)
  const show = openProgress('orders are open', options.orders)
  for (let order = 1; order <= options.orders; order += 1) {
    await shop.begin()
    show(order)
    await wait(beginEveryMs)
  }
  const end = performance.now() + options.seconds * 1_000
  while (performance.now() < end) {
    await shop.begin()
    await shop.payOldest()
    await wait(payEveryMs)
  }
  return shop.close()
}

class OpenShop {
  readonly #options: OpenOrdersOptions
  readonly #answers: Record<string, number> = {}
  readonly #sentAt: number[] = []
  readonly #stop = new AbortController()
  readonly #unpaid: string[] = []
  readonly #followed: Promise<void>[] = []
  #created = 0
  #completed = 0

  constructor(options: OpenOrdersOptions) {
    this.#options = options
  }

  async begin(): Promise<void> {
    const made = await this.#ask('', { 'content-type': 'application/json' }, { amount: 50_000 })
    if (made?.data === undefined) return
    this.#created += 1
    this.#unpaid.push(made.data.id)
    this.#followed.push(this.#follow(made.data.id))
  }

  /** Pays as the payer's page does, so that it costs no request of the account. */
  async payOldest(): Promise<void> {
    const id = this.#unpaid.shift() ?? ''
    await fetch(`${this.#options.baseUrl}/v1/payments/public/checkouts/${id}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ phone: this.#options.phoneOf() }),
    })
  }

  async close(): Promise<OpenOrders> {
    this.#stop.abort()
    await Promise.all(this.#followed)
    return {
      created: this.#created,
      completed: this.#completed,
      answers: this.#answers,
      perMinuteMax: mostInAMinute(this.#sentAt),
    }
  }

  async #follow(id: string): Promise<void> {
    for (;;) {
      const read = await this.#ask(`/${id}`, { prefer: 'wait=60' })
      if (read?.data?.status === 'completed') this.#completed += 1
      if (read?.data?.status !== 'open') return
    }
  }

  /** Sends a request and counts it; counts its answer too, unless the shop closes first. */
  async #ask(
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: object,
  ): Promise<Body | undefined> {
    const { baseUrl, secretKey } = this.#options
    this.#sentAt.push(performance.now())
    const answer = await fetch(`${baseUrl}/v1/payments/merchant/checkouts${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { ...headers, authorization: `Bearer ${secretKey}` },
      signal: this.#stop.signal,
    }).catch(() => undefined)
    if (this.#stop.signal.aborted) return undefined
    const status = String(answer?.status ?? 'none')
    this.#answers[status] = (this.#answers[status] ?? 0) + 1
    return (await answer?.json()) as Body | undefined
  }
}

function mostInAMinute(sentAt: readonly number[]): number {
  const counts = sentAt.map((from) => sentAt.filter((at) => at >= from && at < from + 60_000))
  return Math.max(0, ...counts.map(({ length }) => length))
}
