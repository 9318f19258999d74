import { attemptSteps, checkoutSteps, stepsOutside } from './allowed-steps'
import type { History, Truth } from './history'
import {
  attempts,
  checkouts,
  countBy,
  isCardFee,
  isHeld,
  lastStatuses,
  manyFor,
  openSeen,
  overlaps,
  type Seen,
  totalOf,
} from './seen'

/**
 * What kind of harm a finding is: money is gone, money is there twice, a payer was prompted twice, or a client was told
 * something wrong.
 */
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
  'a payer by card is told the amount and the fee': {
    harm: 'wrong',
    broken: ({ pressed, orders }) =>
      pressed.flatMap(({ order, intentId, total }) => {
        const of = orders.find(({ id }) => id === order)
        return total === null || total === (of && totalOf(of)) ? [] : [`${intentId} ${total}`]
      }),
  },
  'a payment attempt by card has one page': {
    harm: 'doubled',
    broken: ({ paged }) => manyFor(paged, 'intentId', 'page'),
  },
  'a card that was taken paid the payment attempt of its page': {
    harm: 'lost',
    broken: ({ taken, moved }) =>
      taken
        .filter(({ intentId }) => !moved.some(({ cardAttempt }) => cardAttempt === intentId))
        .map(({ intentId }) => intentId),
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
    // Where two payers are prompted for one checkout, the first may fail and the second pay.
    broken: (seen) =>
      attempts(seen).flatMap(({ id, reads, paid, payers }) =>
        paid && payers === 1 && reads.includes('failed') ? [id] : [],
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
      checkouts(seen).flatMap(({ last, moved, total }) =>
        moved
          .filter((row) => row.amount !== (row.cardAttempt === null ? last.amount : total))
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
        .map(({ receipt }) => receipt)
        .filter((receipt) => {
          const fees = posted.filter((row) => row.receipt === receipt).map(isCardFee)
          return [true, false].some((isFee) => fees.filter((one) => one === isFee).length > 1)
        }),
  },
  'the amount that moved is posted': {
    harm: 'wrong',
    broken: ({ moved, posted }) =>
      moved.flatMap(({ receipt, amount }) => {
        const rows = posted.filter((row) => row.receipt === receipt)
        const sum = rows.reduce((minor, row) => minor + BigInt(row.minor), 0n)
        return rows.length === 0 || sum === BigInt(amount)
          ? []
          : [`${receipt} ${amount} is posted as ${String(sum)}`]
      }),
  },
  'the merchant gets the amount of the checkout': {
    harm: 'wrong',
    broken: (seen) =>
      checkouts(seen).flatMap(({ last, moved }) =>
        seen.posted
          .filter(({ receipt }) => moved.some((row) => row.receipt === receipt))
          .filter(({ credit, minor }) => credit.startsWith('wallet:') && minor !== last.amount)
          .map(({ receipt, minor }) => `${last.checkoutId} ${receipt} ${minor}`),
      ),
  },
  'money goes to a wallet or to suspense, and the fee of a card to us': {
    harm: 'wrong',
    broken: ({ moved, posted }) =>
      posted
        .filter((row) => {
          const isOfCard = moved.some(
            ({ receipt, cardAttempt }) => receipt === row.receipt && cardAttempt !== null,
          )
          return !/^(?:wallet|suspense):/.test(row.credit) && !(isOfCard && isCardFee(row))
        })
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
  const seen = openSeen(history, truth)
  return Object.entries<Rule>(rules).flatMap(([rule, { harm, broken }]) =>
    broken(seen).map((text) => ({ rule, harm, text })),
  )
}
