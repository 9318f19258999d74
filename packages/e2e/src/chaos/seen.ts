import type { History, Moved, Order, Posted, StatusRead, Truth } from './history'

/** The history of a run, with lookups for the rules. */
export interface Seen extends History, Truth {
  /** What the payers of an order paid, by phone or by card on the page of one of the order's attempts. */
  readonly movedOf: (order: Order) => readonly Moved[]
  readonly checkoutOf: (order: Order) => string | undefined
}

export function openSeen(history: History, truth: Truth): Seen {
  const idOf = new Map(history.created.map(({ order, checkoutId }) => [order, checkoutId]))
  const orderOf = new Map(history.pressed.map(({ order, intentId }) => [intentId, order]))
  return {
    ...history,
    ...truth,
    movedOf: ({ id, msisdns }) =>
      truth.moved.filter(({ msisdn, cardAttempt }) =>
        cardAttempt === null ? msisdns.includes(msisdn) : orderOf.get(cardAttempt) === id,
      ),
    checkoutOf: ({ id }) => idOf.get(id),
  }
}

/** Returns the values of `key` that occur with more than one `value`. */
export function manyFor<Row>(
  rows: readonly Row[],
  key: keyof Row & string,
  value: keyof Row & string,
): string[] {
  const valuesOf = new Map<string, Set<unknown>>()
  for (const row of rows) {
    const id = String(row[key])
    valuesOf.set(id, (valuesOf.get(id) ?? new Set()).add(row[value]))
  }
  return [...valuesOf].filter(([, values]) => values.size > 1).map(([id]) => id)
}

export function lastStatuses(reads: readonly StatusRead[]): Map<string, string> {
  return new Map(reads.map(({ id, status }) => [id, status]))
}

export function countBy(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Each checkout that was read at the end, with what its payers paid. */
export function checkouts({ orders, lastReads, checkoutOf, movedOf }: Seen) {
  const readOf = new Map(lastReads.map((read) => [read.checkoutId, read]))
  return orders.flatMap((order) => {
    const last = readOf.get(checkoutOf(order) ?? '')
    return last === undefined
      ? []
      : [
          {
            order: `order ${String(order.id)}`,
            ...{ last, moved: movedOf(order), total: totalOf(order) },
          },
        ]
  })
}

export function attempts({ orders, pressed, intentReads, movedOf }: Seen) {
  const last = lastStatuses(intentReads)
  const orderOf = new Map(orders.map((order) => [order.id, order]))
  return pressed.map(({ order, intentId }) => {
    const of = orderOf.get(order)
    return {
      id: intentId,
      status: last.get(intentId),
      reads: intentReads.flatMap((read) => (read.id === intentId ? [read.status] : [])),
      payers: (of?.msisdns.length ?? 0) + (typeof of?.cardFee === 'string' ? 1 : 0),
      paid: of !== undefined && movedOf(of).length > 0,
    }
  })
}

export function totalOf({ amount, cardFee }: Order): string {
  return String(BigInt(amount) + BigInt(cardFee ?? 0))
}

export function isCardFee({ credit }: Posted): boolean {
  return credit === 'fee:card'
}

export function isHeld({ posted }: Truth, receipt: string): boolean {
  return posted.some((row) => row.receipt === receipt && row.credit.startsWith('suspense:'))
}

/** Returns whether two prompts of an order were open at the same time. */
export function overlaps({ msisdns }: Order, { prompts }: Truth): boolean {
  const own = prompts
    .filter(({ msisdn }) => msisdns.includes(msisdn))
    .sort((one, other) => one.openedAtMs - other.openedAtMs)
  return own.some(({ openedAtMs }, at) => at > 0 && (own[at - 1]?.closedAtMs ?? 0) > openedAtMs)
}
