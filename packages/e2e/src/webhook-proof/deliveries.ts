/** The events of one checkout that its merchant's server received. */
export interface Delivered {
  /** How often each `webhook-id` came. */
  readonly events: Map<string, number>
  readonly types: Set<string>
  /** From the event's time (the commit) to the first request with `checkout.completed`. */
  afterMs: number | undefined
}

export interface Sent {
  readonly id: string
  readonly type: string
  readonly checkoutId: string
  readonly afterMs: number
}

/** The webhooks that merchants received, by checkout. */
export class Deliveries {
  readonly #byCheckout = new Map<string, Delivered>()
  #signatureFailures = 0
  #requests = 0

  /** Counts a request whose signature the public library refused, or whose body is not an event. */
  refused(): void {
    this.#requests += 1
    this.#signatureFailures += 1
  }

  received({ id, type, checkoutId, afterMs }: Sent): void {
    this.#requests += 1
    const delivered = this.#byCheckout.get(checkoutId) ?? {
      ...{ events: new Map<string, number>(), types: new Set<string>(), afterMs: undefined },
    }
    this.#byCheckout.set(checkoutId, delivered)
    delivered.events.set(id, (delivered.events.get(id) ?? 0) + 1)
    delivered.types.add(type)
    if (type === 'checkout.completed') delivered.afterMs ??= afterMs
  }

  wasDelivered(checkoutId: string, type: string): boolean {
    return this.#byCheckout.get(checkoutId)?.types.has(type) === true
  }

  /**
   * Compares the webhooks with `paid` and `unpaid`, the checkouts by the provider's book, which is read without the
   * ledger.
   */
  report(paid: readonly string[], unpaid: readonly string[]): Report {
    const all = [...this.#byCheckout.values()]
    const times = all.flatMap(({ afterMs }) => (afterMs === undefined ? [] : [afterMs]))
    times.sort((one, other) => one - other)
    const events = all.reduce((sum, delivered) => sum + delivered.events.size, 0)
    return {
      paid: paid.length,
      unpaid: unpaid.length,
      requests: this.#requests,
      events,
      duplicates: this.#requests - this.#signatureFailures - events,
      lost: paid.filter((id) => !this.wasDelivered(id, 'checkout.completed')),
      wronglyCompleted: unpaid.filter((id) => this.wasDelivered(id, 'checkout.completed')),
      // Checkouts with more event ids than event types: a merchant cannot recognise a duplicate that has a second id.
      twoIds: [...this.#byCheckout]
        .filter(([, { events: ids, types }]) => ids.size > types.size)
        .map(([id]) => id),
      signatureFailures: this.#signatureFailures,
      deliveryMs: { p50: share(times, 0.5), p99: share(times, 0.99), max: times.at(-1) ?? 0 },
    }
  }
}

export interface Report {
  readonly paid: number
  readonly unpaid: number
  readonly requests: number
  readonly events: number
  readonly duplicates: number
  /** Paid, and no event was received. */
  readonly lost: readonly string[]
  /** A `checkout.completed` was received, and no money moved. */
  readonly wronglyCompleted: readonly string[]
  readonly twoIds: readonly string[]
  readonly signatureFailures: number
  readonly deliveryMs: { readonly p50: number; readonly p99: number; readonly max: number }
}

export function isGood({ lost, wronglyCompleted, twoIds, signatureFailures }: Report): boolean {
  return lost.length + wronglyCompleted.length + twoIds.length + signatureFailures === 0
}

function share(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
