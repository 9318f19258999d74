import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { SimulatorControl } from '@malipo/testing/simulator-control'
import { AnswerCount, type Answers, type Kind, kindOf, kindOfStatus } from './answers'
import { addressOf, bodyOf, Connection, requestOf } from '../connection'

/** The answers that merchants, payers and the provider got beside the load, by the kind of request. */
export interface Honest {
  /**
   * The time of a payment is from the press to the answer that a prompt is on its way, including the waits of a payer
   * who has to try again.
   */
  readonly pay: Answers
  readonly create: Answers
  /** The responses to payers who poll the status of their payment. */
  readonly poll: Answers
  /** The answers to the provider's callbacks, as the simulator reports them. */
  readonly callback: Answers
}

export interface Payers {
  /** Returns the answers since the last call. */
  take(): Promise<Honest>
  /** Ends the payments; returns how many were begun, and how many of those were paid and completed. */
  stop(): Promise<{ readonly begun: number; readonly completed: number }>
}

export interface PayersOptions {
  readonly port: number
  readonly handle: string
  readonly secretKey: string
  readonly simulator: SimulatorControl
}

/** The part of a response that is read. */
interface Body {
  readonly data?: { readonly id?: string; readonly intent_id?: string; readonly status?: string }
}

const payEveryMs = 200
/** The interface allows an account 120 requests a minute. */
const createEveryMs = 1_000
const retryAfterMs = 1_000
const pollEveryMs = 2_500
const completedWithinMs = 60_000
const firstPhone = 254_712_000_000
const phones = 2_000
/**
 * The number of the first payer's address, above all addresses of the load, so that payers share no rate limit with it.
 */
const firstAddress = 1 << 23

interface Sent {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

/** Has payers pay a handle and checkouts that a merchant creates, while phones approve and the provider calls back. */
export async function openPayers(options: PayersOptions): Promise<Payers> {
  const { simulator } = options
  const policy = { answer: 'approve', after_ms: 500 } as const
  await simulator.addPhone({ msisdn: String(firstPhone), count: phones, policy })
  const run = new PayersRun(options)
  let seen = 0
  const callbacks = new AnswerCount()
  const readEvents = async () => {
    for (const { id, kind, facts } of await simulator.events(seen)) {
      seen = id
      const tookMs = Number(facts['took_ms'] ?? 0)
      if (kind === 'callback_failed') callbacks.add('failed', tookMs)
      if (kind === 'callback_delivered')
        callbacks.add(kindOfStatus(Number(facts['status']), true), tookMs)
    }
    return callbacks.take()
  }
  await readEvents()
  return {
    take: async () => ({ ...run.take(), callback: await readEvents() }),
    stop: () => run.stop(),
  }
}

class PayersRun {
  readonly #options: PayersOptions
  readonly #counts = { pay: new AnswerCount(), create: new AnswerCount(), poll: new AnswerCount() }
  readonly #underWay = new Set<Promise<boolean>>()
  readonly #timers: readonly NodeJS.Timeout[]
  #payers = 0
  #begun = 0
  #completed = 0

  constructor(options: PayersOptions) {
    this.#options = options
    const { handle } = options
    const path = '/v1/payments/public/checkout'
    this.#timers = [
      setInterval(() => {
        this.#follow((phone) => this.#pay(path, { handle, amount: 15_000, phone }))
      }, payEveryMs),
      setInterval(() => {
        this.#follow((phone) => this.#createAndPay(phone))
      }, createEveryMs),
    ]
  }

  take() {
    const { pay, create, poll } = this.#counts
    return { pay: pay.take(), create: create.take(), poll: poll.take() }
  }

  async stop() {
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all(this.#underWay)
    return { begun: this.#begun, completed: this.#completed }
  }

  #follow(payment: (phone: string) => Promise<boolean>): void {
    if (this.#payers === phones) throw new Error('every phone has paid: ask for fewer seconds')
    this.#begun += 1
    const paid = payment(String(firstPhone + this.#payers++))
    this.#underWay.add(paid)
    void paid.then((isCompleted) => {
      if (isCompleted) this.#completed += 1
      this.#underWay.delete(paid)
    })
  }

  async #createAndPay(phone: string): Promise<boolean> {
    const headers = { Authorization: `Bearer ${this.#options.secretKey}` }
    const path = '/v1/payments/merchant/checkouts'
    const sent = { path, headers, body: { amount: 25_000 } }
    const { data: { id } = {} } = await this.#until('create', sent)
    return id !== undefined && this.#pay(`/v1/payments/public/checkouts/${id}/pay`, { phone })
  }

  async #pay(path: string, body: object): Promise<boolean> {
    const { data: { intent_id: intentId } = {} } = await this.#until('pay', { path, body })
    return intentId !== undefined && this.#untilCompleted(intentId)
  }

  async #untilCompleted(intentId: string): Promise<boolean> {
    const deadline = performance.now() + completedWithinMs
    const path = `/v1/payments/public/intents/${intentId}`
    while (performance.now() < deadline) {
      await wait(pollEveryMs)
      const { body } = await this.#send('poll', { method: 'GET', path })
      if (body.data?.status === 'completed') return true
    }
    return false
  }

  /** Sends a request, and again as long as the answer is a 503 with Retry-After. The body is empty when it failed. */
  async #until(name: 'pay' | 'create', sent: Omit<Sent, 'method'>): Promise<Body> {
    const headers = { ...sent.headers, 'Idempotency-Key': randomUUID() }
    const pressedAt = performance.now()
    while (performance.now() - pressedAt < completedWithinMs) {
      const { kind, body } = await this.#send(name, { ...sent, method: 'POST', headers }, pressedAt)
      if (kind !== 'shed') return body
      await wait(retryAfterMs)
    }
    return {}
  }

  /** Sends a request over a new connection, as a payer's browser does. The body is empty unless the answer is good. */
  #send(
    name: 'pay' | 'create' | 'poll',
    sent: Sent,
    since = performance.now(),
  ): Promise<{ readonly kind: Kind; readonly body: Body }> {
    const connection = new Connection(this.#options.port)
    const from = addressOf(firstAddress + this.#payers)
    return new Promise((resolve) => {
      connection.ask(requestOf({ ...sent, from }), (answer) => {
        connection.close()
        const kind = kindOf(answer)
        this.#counts[name].add(kind, performance.now() - since)
        const isGood = kind === 'good' && answer !== undefined
        resolve({ kind, body: isGood ? (JSON.parse(bodyOf(answer)) as Body) : {} })
      })
    })
  }
}
