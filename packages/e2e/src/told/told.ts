/** Of a checkout: what was sent to its merchant, as the merchant's server received it. */
export interface Told {
  /** By `webhook-id`: how often it came. */
  readonly events: Map<string, number>
  readonly types: Set<string>
  /** From the event's time, which is that of the commit, to the first request that said `checkout.completed`. */
  afterMs: number | undefined
}

export interface Sent {
  readonly id: string
  readonly type: string
  readonly checkoutId: string
  readonly afterMs: number
}

/** What merchants were told, checkout by checkout. */
export class Tellings {
  readonly #told = new Map<string, Told>()
  #signatureFailures = 0
  #requests = 0

  /** A request whose signature the public library refused, or whose body is not an event. */
  refused(): void {
    this.#requests += 1
    this.#signatureFailures += 1
  }

  received({ id, type, checkoutId, afterMs }: Sent): void {
    this.#requests += 1
    const told = this.#told.get(checkoutId) ?? {
      ...{ events: new Map<string, number>(), types: new Set<string>(), afterMs: undefined },
    }
    this.#told.set(checkoutId, told)
    told.events.set(id, (told.events.get(id) ?? 0) + 1)
    told.types.add(type)
    if (type === 'checkout.completed') told.afterMs ??= afterMs
  }

  isTold(checkoutId: string, type: string): boolean {
    return this.#told.get(checkoutId)?.types.has(type) === true
  }

  /** `paid` and `unpaid`: checkouts as the provider's book has them, which is asked past the ledger. */
  report(paid: readonly string[], unpaid: readonly string[]): Report {
    const all = [...this.#told.values()]
    const times = all.flatMap(({ afterMs }) => (afterMs === undefined ? [] : [afterMs]))
    times.sort((one, other) => one - other)
    const events = all.reduce((sum, told) => sum + told.events.size, 0)
    return {
      paid: paid.length,
      unpaid: unpaid.length,
      requests: this.#requests,
      events,
      duplicates: this.#requests - this.#signatureFailures - events,
      lost: paid.filter((id) => !this.isTold(id, 'checkout.completed')),
      wronglyTold: unpaid.filter((id) => this.isTold(id, 'checkout.completed')),
      // The same event under a second id is one that a merchant cannot know as a duplicate.
      twoIds: [...this.#told]
        .filter(([, { events: ids, types }]) => ids.size > types.size)
        .map(([id]) => id),
      signatureFailures: this.#signatureFailures,
      toldMs: { p50: share(times, 0.5), p99: share(times, 0.99), max: times.at(-1) ?? 0 },
    }
  }
}

export interface Report {
  readonly paid: number
  readonly unpaid: number
  readonly requests: number
  readonly events: number
  readonly duplicates: number
  /** Paid, and no merchant was told. */
  readonly lost: readonly string[]
  /** Told as completed, and no money moved. */
  readonly wronglyTold: readonly string[]
  readonly twoIds: readonly string[]
  readonly signatureFailures: number
  readonly toldMs: { readonly p50: number; readonly p99: number; readonly max: number }
}

export function isGood({ lost, wronglyTold, twoIds, signatureFailures }: Report): boolean {
  return lost.length + wronglyTold.length + twoIds.length + signatureFailures === 0
}

function share(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
