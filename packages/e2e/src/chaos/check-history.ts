import { attemptSteps, checkoutSteps, stepsOutside } from './allowed-steps'
import type { History, Moved, Order, StatusRead, Truth } from './history'

/** How bad it is: money that is gone, money twice, a prompt too many, or a false word. */
export type Harm = 'lost' | 'doubled' | 'double prompt' | 'wrong'

export interface Finding {
  readonly rule: string
  readonly harm: Harm
  readonly text: string
}

interface Rule {
  readonly harm: Harm
  readonly broken: (seen: Seen) => readonly string[]
}

/** The history of a run, with lookups for the rules. */
interface Seen extends History, Truth {
  readonly movedOf: (order: Order) => readonly Moved[]
  readonly checkoutOf: (order: Order) => string | undefined
}

const inFlight = ['created', 'reserved', 'submitted', 'pending']

/** What must hold after any fault. A finding names its rule. */
const rules = {
  'an acknowledged checkout can be read': {
    harm: 'lost',
    broken: ({ created, lastReads }) =>
      created
        .filter(({ checkoutId }) => !lastReads.some((read) => read.checkoutId === checkoutId))
        .map(({ checkoutId }) => checkoutId),
  },
  'a checkout keeps the amount that was asked for': {
    harm: 'wrong',
    broken: ({ created, lastReads, orders }) =>
      created.flatMap(({ checkoutId, amount, order }) => {
        const orderedAmount = orders.find(({ id }) => id === order)?.amount
        const read = lastReads.find((one) => one.checkoutId === checkoutId)?.amount ?? orderedAmount
        return amount === orderedAmount && read === orderedAmount ? [] : [checkoutId]
      }),
  },
  'a repeated create is answered with the same checkout': {
    harm: 'doubled',
    broken: ({ created }) =>
      manyFor(created, 'key', 'checkoutId').map((key) => `Idempotency-Key ${key}`),
  },
  'no two orders have one checkout': {
    harm: 'wrong',
    broken: ({ created }) => manyFor(created, 'checkoutId', 'order'),
  },
  'a repeated press is answered with the same payment attempt': {
    harm: 'doubled',
    broken: ({ pressed }) =>
      manyFor(pressed, 'key', 'intentId').map((key) => `Idempotency-Key ${key}`),
  },
  'no two orders have one payment attempt': {
    harm: 'wrong',
    broken: ({ pressed }) => manyFor(pressed, 'intentId', 'order'),
  },
  'a payment attempt takes allowed steps only': {
    harm: 'wrong',
    broken: ({ intentReads }) => stepsOutside(intentReads, attemptSteps),
  },
  'a checkout takes allowed steps only': {
    harm: 'wrong',
    broken: ({ checkoutReads }) => stepsOutside(checkoutReads, checkoutSteps),
  },
  'every payment attempt ends': {
    harm: 'wrong',
    broken: ({ intentReads }) =>
      [...lastStatuses(intentReads)]
        .filter(([, status]) => inFlight.includes(status))
        .map(([id, status]) => `${id} is ${status}`),
  },
  'a completed checkout was paid': {
    harm: 'wrong',
    broken: (seen) =>
      checkouts(seen).flatMap(({ order, last, moved }) =>
        last.status === 'completed' && moved.length === 0 ? [`${last.checkoutId} ${order}`] : [],
      ),
  },
  'a completed payment attempt was paid': {
    harm: 'wrong',
    broken: (seen) =>
      attempts(seen).flatMap(({ id, status, paid }) =>
        status === 'completed' && !paid ? [id] : [],
      ),
  },
  'a payment attempt that was paid is not called failed': {
    harm: 'wrong',
    // Of two phones that are asked for one checkout the first may fail and the second pay.
    broken: (seen) =>
      attempts(seen).flatMap(({ id, reads, paid, phones }) =>
        paid && phones === 1 && reads.includes('failed') ? [id] : [],
      ),
  },
  'a paid checkout is completed': {
    harm: 'lost',
    broken: (seen) =>
      checkouts(seen).flatMap(({ last, moved }) =>
        last.status !== 'completed' && moved.some(({ receipt }) => !isHeld(seen, receipt))
          ? [`${last.checkoutId} is ${last.status}`]
          : [],
      ),
  },
  'a payer pays a checkout once': {
    harm: 'doubled',
    broken: (seen) =>
      checkouts(seen)
        .filter(({ moved }) => moved.length > 1)
        .map(({ last, moved }) => `${last.checkoutId} ${String(moved.length)} times`),
  },
  'the provider moved the amount of the checkout': {
    harm: 'wrong',
    broken: (seen) =>
      checkouts(seen).flatMap(({ last, moved }) =>
        moved
          .filter(({ amount }) => amount !== last.amount)
          .map(({ receipt, amount }) => `${last.checkoutId} ${receipt} ${amount}`),
      ),
  },
  'a completed checkout has the receipt and the amount of its payment': {
    harm: 'wrong',
    broken: (seen) =>
      checkouts(seen).flatMap(({ last, moved }) => {
        if (last.status !== 'completed' || moved.length === 0) return []
        const fits = moved.some(({ receipt }) => receipt === last.receipt)
        return fits && last.settled === last.amount ? [] : [last.checkoutId]
      }),
  },
  'money that moved is posted': {
    harm: 'lost',
    broken: ({ moved, posted }) =>
      moved
        .filter(({ receipt }) => !posted.some((row) => row.receipt === receipt))
        .map(({ receipt }) => receipt),
  },
  'money that moved is posted once': {
    harm: 'doubled',
    broken: ({ moved, posted }) =>
      moved
        .filter(({ receipt }) => posted.filter((row) => row.receipt === receipt).length > 1)
        .map(({ receipt }) => receipt),
  },
  'the amount that moved is posted': {
    harm: 'wrong',
    broken: ({ moved, posted }) =>
      moved.flatMap(({ receipt, amount }) =>
        posted
          .filter((row) => row.receipt === receipt && row.minor !== amount)
          .map(({ minor }) => `${receipt} ${amount} is posted as ${minor}`),
      ),
  },
  'money goes to a wallet or to suspense': {
    harm: 'wrong',
    broken: ({ posted }) =>
      posted
        .filter(({ credit }) => !/^(?:wallet|suspense):/.test(credit))
        .map(({ receipt, credit }) => `${receipt} ${credit}`),
  },
  'nothing is posted that did not move': {
    harm: 'doubled',
    broken: ({ moved, posted }) =>
      posted
        .filter(({ receipt }) => !moved.some((row) => row.receipt === receipt))
        .map(({ receipt }) => receipt),
  },
  'a phone is prompted once': {
    harm: 'double prompt',
    broken: ({ prompts }) =>
      [...countBy(prompts.map(({ msisdn }) => msisdn))]
        .filter(([, count]) => count > 1)
        .map(([msisdn, count]) => `***${msisdn.slice(-3)} ${String(count)} times`),
  },
  'a checkout has one open prompt': {
    harm: 'double prompt',
    broken: (seen) =>
      seen.orders.filter((order) => overlaps(order, seen)).map(({ id }) => `order ${String(id)}`),
  },
  'each answer is one that the interface allows': {
    harm: 'wrong',
    broken: ({ unexpected }) => unexpected,
  },
  'the audit is clean': { harm: 'wrong', broken: ({ audit }) => audit },
  'no log has a key or a whole phone number': { harm: 'wrong', broken: ({ leaks }) => leaks },
} as const satisfies Record<string, Rule>

export const ruleNames: readonly string[] = Object.keys(rules)

/** All that is wrong about a run. Empty when every rule holds. */
export function checkHistory(history: History, truth: Truth): Finding[] {
  const idOf = new Map(history.created.map(({ order, checkoutId }) => [order, checkoutId]))
  const seen: Seen = {
    ...history,
    ...truth,
    movedOf: ({ msisdns }) => truth.moved.filter(({ msisdn }) => msisdns.includes(msisdn)),
    checkoutOf: ({ id }) => idOf.get(id),
  }
  return Object.entries<Rule>(rules).flatMap(([rule, { harm, broken }]) =>
    broken(seen).map((text) => ({ rule, harm, text })),
  )
}

/** The keys that stand beside more than one value. */
function manyFor<Row>(
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

function lastStatuses(reads: readonly StatusRead[]): Map<string, string> {
  return new Map(reads.map(({ id, status }) => [id, status]))
}

function countBy(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Each checkout that was read at the end, with what its payers paid. */
function checkouts({ orders, lastReads, checkoutOf, movedOf }: Seen) {
  const readOf = new Map(lastReads.map((read) => [read.checkoutId, read]))
  return orders.flatMap((order) => {
    const last = readOf.get(checkoutOf(order) ?? '')
    return last === undefined
      ? []
      : [{ order: `order ${String(order.id)}`, last, moved: movedOf(order) }]
  })
}

function attempts({ orders, pressed, intentReads, movedOf }: Seen) {
  const last = lastStatuses(intentReads)
  const orderOf = new Map(orders.map((order) => [order.id, order]))
  return pressed.map(({ order, intentId }) => {
    const of = orderOf.get(order)
    return {
      id: intentId,
      status: last.get(intentId),
      reads: intentReads.flatMap((read) => (read.id === intentId ? [read.status] : [])),
      phones: of?.msisdns.length ?? 0,
      paid: of !== undefined && movedOf(of).length > 0,
    }
  })
}

function isHeld({ posted }: Truth, receipt: string): boolean {
  return posted.some((row) => row.receipt === receipt && row.credit.startsWith('suspense:'))
}

/** Two prompts for one checkout are open at the same time. */
function overlaps({ msisdns }: Order, { prompts }: Truth): boolean {
  const own = prompts
    .filter(({ msisdn }) => msisdns.includes(msisdn))
    .sort((one, other) => one.openedAtMs - other.openedAtMs)
  return own.some(({ openedAtMs }, at) => at > 0 && (own[at - 1]?.closedAtMs ?? 0) > openedAtMs)
}
