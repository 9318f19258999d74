import type { Refund } from '../../../refunds/rules/state'
import type { Random } from '../rules.harness'
import { micro } from '../tables.harness'
import type { SimulatedRefunds } from './refund-ledger.harness'
import type { Order } from './refund-provider.harness'
import type { Incoming } from './refund-tables.harness'

export const refundActions = [
  'ask',
  'decide',
  'send',
  'resolve',
  'deliver',
  'query',
  'close',
  'decideClosing',
  'forge',
  'sweep',
  'read',
] as const
export type RefundAction = (typeof refundActions)[number]

/** What actions can act on. */
interface Around {
  readonly ledger: SimulatedRefunds
  readonly orders: readonly Order[]
  readonly air: readonly Incoming[]
  readonly unread: readonly number[]
}

/** Drawn for each kind of action, so that some worlds have little of it and others a flood. */
const weights = [0, 1, 2, 4]
/** Of the drawn actions that cannot change anything, one in this many is done all the same. */
const vain = 24

/** Each world draws its own mixture of actions, mostly of those that can change something. */
export function openRefundUrn(random: Random, around: Around): () => RefundAction {
  let top = 0
  const tops = refundActions.map(() => (top += 2 + (weights[random(weights.length)] ?? 1)))
  return () => {
    for (let draws = 0; draws < 50; draws += 1) {
      const drawn = random(top)
      const name = refundActions[tops.findIndex((one) => drawn < one)] ?? 'ask'
      if (chances[name](around) || random(vain) === 0) return name
    }
    return 'ask'
  }
}

const some = ({ ledger }: Around, holds: (refund: Refund) => boolean) => ledger.refunds.some(holds)

const chances: Readonly<Record<RefundAction, (around: Around) => boolean>> = {
  ask: (around) => !some(around, ({ status }) => status !== 'failed' && status !== 'withdrawn'),
  decide: (around) => some(around, ({ status }) => status === 'asked'),
  send: (around) => some(around, ({ status }) => status === 'approved'),
  resolve: ({ orders }) => orders.some(({ state }) => state === 'open'),
  deliver: ({ air }) => air.length > 0,
  query: (around) =>
    some(
      around,
      ({ status, nextActionAt }) => status === 'submitted' && isDue(around, nextActionAt),
    ),
  close: (around) =>
    some(
      around,
      ({ status, nextActionAt, closing }) =>
        status === 'submitted' && nextActionAt === null && closing === null,
    ),
  decideClosing: (around) =>
    some(around, ({ closing, closedBy }) => closing !== null && closedBy === null),
  forge: (around) => some(around, ({ status }) => status === 'submitted'),
  sweep: (around) => some(around, ({ nextActionAt }) => isDue(around, nextActionAt)),
  read: ({ unread }) => unread.length > 0,
}

function isDue({ ledger }: Around, nextActionAt: number | null): boolean {
  return nextActionAt !== null && nextActionAt <= ledger.now * micro
}
