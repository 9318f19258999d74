import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Country } from '@malipo/kernel/countries'
import type { StackFile } from '@malipo/stack/stack-file'
import type { SimulatorControl } from '@malipo/testing/simulator-control'
import { ask, type Answer } from '../http'
import type { Checkout } from '../merchant'
import { type CardPayment, payByCard } from './card-payer'
import type { HistoryBook } from './history-book'
import {
  addPhones,
  chaosRails,
  countryOf,
  type ChaosRail,
  mix,
  type PayerAnswer,
  phoneOf,
  type PhoneRail,
} from './phones'
import { openRandom } from './schedule'

const inFlight = ['created', 'reserved', 'submitted', 'pending']
const againMs = 1_000
/** How long a shop or a buyer repeats the same request. */
const triesMs = 90_000
/** How long a buyer watches the page of a payment that does not end. */
const followMs = 270_000
/** The share of requests that are sent twice. */
const repeated = 0.1
/** Expired, already paid, and another payment in progress: answers to a button that is pressed late or twice. */
const pressedLate = [2784, 2785, 2786]

interface BuyersOptions {
  readonly stack: StackFile
  readonly simulator: SimulatorControl
  readonly merchants: Readonly<Record<Country, StackFile['merchants']>>
  readonly book: HistoryBook
  readonly seed: number
}

interface Data<Body> {
  readonly data: Body
}
interface Shown {
  readonly checkout: {
    readonly paybill: { business_number: string; account_number: string } | null
  }
}

/** Plays merchants and payers, who send a request again with the same key when no answer comes. */
export class Buyers {
  readonly #options: BuyersOptions
  readonly #random: () => number
  readonly #placed = new Map<number, Placed>()
  readonly #taken = new Map<string, number>()
  /** For each payment whose buyer stopped watching before its end, a function that reads its status once more. */
  readonly #left: (() => Promise<boolean>)[] = []

  private constructor(options: BuyersOptions) {
    this.#options = options
    this.#random = openRandom(options.seed)
  }

  static async open(options: BuyersOptions): Promise<Buyers> {
    await addPhones(options.simulator)
    return new Buyers(options)
  }

  /** Begins the next order. Resolves when it is over, however it ended. */
  async buy(): Promise<void> {
    const order = this.#place()
    const key = randomUUID()
    const checkoutId = await this.#create(order, key)
    if (checkoutId === undefined) return
    if (this.#random() < repeated) await this.#create(order, key)
    if (order.rail === 'pay_bill') await this.#payFromMenu(order, checkoutId)
    else
      await Promise.all([
        ...(order.rail === 'card' ? [this.#payByCard(order, checkoutId)] : []),
        ...order.msisdns.map((phone) => this.#press(order, checkoutId, phone)),
      ])
    await this.#readCheckout(order, checkoutId)
  }

  /** Reads every checkout once more as its merchant, and every payment whose buyer stopped watching before its end. */
  async readAll(): Promise<void> {
    const { book } = this.#options
    for (const read of this.#left) await read()
    const waiting = book.checkouts().entries()
    const readInTurn = async () => {
      for (const [orderId, checkoutId] of waiting) {
        const order = this.#placed.get(orderId)
        const read = order && (await this.#readCheckout(order, checkoutId))
        if (read) book.lastRead(read)
      }
    }
    await Promise.all(Array.from({ length: 12 }, readInTurn))
  }

  #place(): Placed {
    const { merchants, stack, book } = this.#options
    const id = this.#placed.size
    const rail = chaosRails[id % chaosRails.length] ?? 'mpesa'
    const country = countryOf[rail]
    const answer = mix[Math.floor(this.#random() * mix.length)] ?? 'approve'
    const amount = 100_000 + (id % 1_000) * 100
    const order = {
      ...{ id, rail, answer },
      msisdns: this.#takePhones(rail, answer),
      amount: String(amount),
      cardFee: rail === 'card' ? String(cardFeeOf(amount)) : null,
      base: `${stack.hosts[country].base_url}/v1/payments`,
      secretKey: merchants[country][id % merchants[country].length]?.secret_key ?? '',
    }
    this.#placed.set(id, order)
    book.ordered(order)
    return order
  }

  /**
   * Takes the phones of an order. In some orders a second payer presses too, who pays by phone even when the first pays
   * by card.
   */
  #takePhones(rail: ChaosRail, answer: PayerAnswer): string[] {
    const isTwice = rail !== 'pay_bill' && answer === 'approve' && this.#random() < repeated
    const byPhone = rail === 'card' ? 'mpesa' : rail
    const count = (rail === 'card' ? 0 : 1) + (isTwice ? 1 : 0)
    return Array.from({ length: count }, () => this.#takePhone(byPhone, answer))
  }

  /** Takes a phone that no other order has. */
  #takePhone(rail: PhoneRail, answer: PayerAnswer): string {
    const range = phoneOf(rail, answer, 0)
    const at = this.#taken.get(range) ?? 0
    this.#taken.set(range, at + 1)
    return phoneOf(rail, answer, at)
  }

  /**
   * Repeats a request until its answer is final. Returns undefined when no answer or a refusal came, and records
   * unexpected refusals.
   */
  async #send<Body>(
    what: string,
    request: Request,
    refusals: readonly number[] = [],
  ): Promise<Body | undefined> {
    const deadline = performance.now() + triesMs
    while (performance.now() < deadline) {
      const answer = await sendOnce<Body>(request)
      if (answer !== undefined && ![429, 503].includes(answer.status)) {
        if (answer.status < 300) return answer.body
        if (!refusals.includes(codeOf(answer)))
          this.#options.book.unexpected(
            `${what}: ${String(answer.status)} ${JSON.stringify(answer.body)}`,
          )
        return undefined
      }
      await wait(againMs)
    }
    return undefined
  }

  async #create(order: Placed, key: string): Promise<string | undefined> {
    const made = await this.#send<Data<Checkout>>('create', {
      url: `${order.base}/merchant/checkouts`,
      headers: { authorization: `Bearer ${order.secretKey}`, 'idempotency-key': key },
      body: { amount: Number(order.amount) },
    })
    if (made !== undefined) this.#options.book.created(order.id, key, made.data)
    return made?.data.id
  }

  async #press(order: Placed, checkoutId: string, phone: string): Promise<void> {
    const rail = order.rail === 'card' ? 'mpesa' : order.rail
    const body = { phone, ...(rail !== 'mpesa' && { rail }) }
    const paying = await this.#begin<{ intent_id: string }>(order, `${checkoutId}/pay`, body)
    if (paying !== undefined) await this.#follow(order.base, paying.intent_id, phone)
  }

  async #payByCard(order: Placed, checkoutId: string): Promise<void> {
    const payment = await this.#begin<CardPayment>(order, `${checkoutId}/card`, {})
    if (payment === undefined) return
    const payer = { book: this.#options.book, random: this.#random, order: order.id }
    const address = addressFor(this.#random)
    await Promise.all([
      payByCard({ ...payer, answer: order.answer, address }, payment),
      this.#follow(order.base, payment.intent_id, 'card'),
    ])
  }

  /** Presses a button of the payer page, sometimes twice with the same key. */
  async #begin<Begun extends { intent_id: string; total?: string }>(
    order: Placed,
    path: string,
    body: object,
  ): Promise<Begun | undefined> {
    const key = randomUUID()
    const request = {
      url: `${order.base}/public/checkouts/${path}`,
      headers: { 'idempotency-key': key, 'x-forwarded-for': addressFor(this.#random) },
      body,
    }
    const pressOnce = async () => {
      const begun = (await this.#send<Data<Begun>>('pay', request, pressedLate))?.data
      if (begun !== undefined) this.#options.book.pressed(order.id, key, begun)
      return begun
    }
    const begun = await pressOnce()
    if (begun !== undefined && this.#random() < repeated) await pressOnce()
    return begun
  }

  async #follow(base: string, intentId: string, phone: string): Promise<void> {
    const deadline = performance.now() + followMs
    while (performance.now() < deadline) {
      if (await this.#readIntent(base, intentId, phone)) return
      await wait(againMs)
    }
    this.#left.push(() => this.#readIntent(base, intentId, phone))
  }

  /** Reads a payment attempt, and returns whether it has ended. */
  async #readIntent(base: string, intentId: string, phone: string): Promise<boolean> {
    const url = `${base}/public/intents/${intentId}`
    const read = await this.#send<Data<{ status: string }>>('intent', { url, headers: {} })
    if (read === undefined) return false
    this.#options.book.intentRead(intentId, read.data.status, phone)
    return !inFlight.includes(read.data.status)
  }

  async #readCheckout({ base, secretKey }: Placed, id: string): Promise<Checkout | undefined> {
    const read = await this.#send<Data<Checkout>>('checkout', {
      url: `${base}/merchant/checkouts/${id}`,
      headers: { authorization: `Bearer ${secretKey}` },
    })
    if (read !== undefined) this.#options.book.checkoutRead(id, read.data.status)
    return read?.data
  }

  async #payFromMenu({ base, amount, msisdns }: Placed, checkoutId: string): Promise<void> {
    const url = `${base}/public/checkouts/${checkoutId}`
    const headers = { 'x-forwarded-for': addressFor(this.#random) }
    const shown = await this.#send<Data<Shown>>('page', { url, headers })
    const typed = shown?.data.checkout.paybill
    const [msisdn = ''] = msisdns
    if (typed === undefined || typed === null) return
    // M-PESA refuses the payment when our answer to its validation is late, and then no money moves.
    await this.#options.simulator.payFromMenu(msisdn, { ...typed, amount }).catch(() => undefined)
  }
}

interface Placed {
  readonly id: number
  readonly rail: ChaosRail
  readonly answer: PayerAnswer
  readonly amount: string
  readonly cardFee: string | null
  readonly msisdns: readonly string[]
  readonly base: string
  readonly secretKey: string
}

interface Request {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: object
}

/** Sends a request. Returns undefined when no answer came. */
async function sendOnce<Body>({ url, headers, body }: Request): Promise<Answer<Body> | undefined> {
  const method = body === undefined ? 'GET' : 'POST'
  return ask<Body>(url, { method, headers, body }).catch(() => undefined)
}

function codeOf({ body }: Answer<unknown>): number {
  return (body as { code?: number }).code ?? 0
}

/** Limits count by address, so each payer has a different one. */
function addressFor(random: () => number): string {
  return `10.${[1, 2, 3].map(() => String(1 + Math.floor(random() * 254))).join('.')}`
}

/** The fee of a card payment: 3.5 % of the amount, rounded up to whole shillings. */
function cardFeeOf(amount: number): number {
  return Math.ceil((amount * 35) / 100_000) * 100
}
