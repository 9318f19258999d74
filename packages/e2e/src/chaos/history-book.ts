import type { Checkout } from '../merchant'
import type {
  Created,
  History,
  LastRead,
  Order,
  Paged,
  Pressed,
  StatusRead,
  Taken,
} from './history'

/** Records the requests and answers of clients as they come. A status is recorded only when it has changed. */
export class HistoryBook {
  readonly #orders: Order[] = []
  readonly #created: Created[] = []
  readonly #pressed: Pressed[] = []
  readonly #paged: Paged[] = []
  readonly #taken: Taken[] = []
  readonly #intents = openReads()
  readonly #checkouts = openReads()
  readonly #lastReads: LastRead[] = []
  readonly #unexpected: string[] = []

  ordered({ id, amount, msisdns, cardFee }: Order): void {
    this.#orders.push({ id, amount, msisdns, cardFee })
  }
  created(order: number, key: string, { id, amount }: Checkout): void {
    this.#created.push({ order, key, checkoutId: id, amount })
  }
  pressed(order: number, key: string, begun: { intent_id: string; total?: string }): void {
    this.#pressed.push({ order, key, intentId: begun.intent_id, total: begun.total ?? null })
  }
  paged(intentId: string, page: string): void {
    this.#paged.push({ intentId, page })
  }
  taken(order: number, intentId: string): void {
    this.#taken.push({ order, intentId })
  }
  intentRead(id: string, status: string, reader: string): void {
    this.#intents.note({ id, status, reader })
  }
  checkoutRead(id: string, status: string): void {
    this.#checkouts.note({ id, status, reader: 'merchant' })
  }
  lastRead({ id, status, amount, payment }: Checkout): void {
    const receipt = payment?.provider_receipt ?? null
    const settled = payment?.amount_settled ?? null
    this.#lastReads.push({ checkoutId: id, status, amount, receipt, settled })
  }
  unexpected(line: string): void {
    this.#unexpected.push(line)
  }
  /** The order and the checkout of each create that was acknowledged. */
  checkouts(): Map<number, string> {
    return new Map(this.#created.map(({ order, checkoutId }) => [order, checkoutId]))
  }
  counts() {
    const [orders, created] = [this.#orders.length, this.checkouts().size]
    return { orders, created, pressed: this.#pressed.length, unexpected: this.#unexpected.length }
  }
  history(): History {
    return {
      ...{ orders: this.#orders, created: this.#created, pressed: this.#pressed },
      ...{ paged: this.#paged, taken: this.#taken },
      ...{ intentReads: this.#intents.all, checkoutReads: this.#checkouts.all },
      ...{ lastReads: this.#lastReads, unexpected: this.#unexpected },
    }
  }
}

function openReads() {
  const all: StatusRead[] = []
  const last = new Map<string, string>()
  return {
    all,
    note(read: StatusRead) {
      const sequence = `${read.reader} ${read.id}`
      if (last.get(sequence) === read.status) return
      last.set(sequence, read.status)
      all.push(read)
    },
  }
}
