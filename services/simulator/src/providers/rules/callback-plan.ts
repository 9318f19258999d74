import type { Minor } from '@malipo/kernel/money'
import type { DeliverHow } from './rail'
import type { Effect } from '../../faults/rules/rule'
import type { AppliedRule } from '../../faults/rules/rules'

/** The combined effect of the rules on one callback. */
export interface Plan {
  readonly dropped: boolean
  readonly echoed: boolean
  /** Whether the callback has a wrong secret, as if an attacker sent it. */
  readonly forged: boolean
  readonly malformed: boolean
  readonly delayMs: number
  readonly copies: number
  readonly everyMs: number
  readonly amountMinor: Minor
  /** The rule that delays the callback until the next one was sent. */
  readonly reorderedBy: string | undefined
  /** How long the body takes to send, in virtual time. */
  readonly dripMs: number
  readonly how: DeliverHow
}

/** Delays add up; of two rules for the same effect the later one wins. */
export function planOf(applied: readonly AppliedRule[], amountMinor: Minor): Plan {
  const asDocumented: Plan = {
    dropped: false,
    echoed: false,
    forged: false,
    malformed: false,
    delayMs: 0,
    copies: 1,
    everyMs: 0,
    amountMinor,
    reorderedBy: undefined,
    dripMs: 0,
    how: {},
  }
  return applied.reduce(
    (plan, { rule, effect }) => ({ ...plan, ...changeBy(effect, plan, rule) }),
    asDocumented,
  )
}

const marks: Readonly<Partial<Record<Effect['kind'], Partial<Plan>>>> = {
  drop: { dropped: true },
  malformed: { malformed: true },
  echo: { echoed: true },
  wrong_secret: { forged: true },
}

function changeBy(effect: Effect, { delayMs, how }: Plan, rule: string): Partial<Plan> {
  switch (effect.kind) {
    case 'delay':
      return { delayMs: delayMs + effect.ms }
    case 'amount':
      return { amountMinor: effect.amountMinor }
    case 'duplicate':
      return { copies: effect.copies, everyMs: effect.everyMs }
    case 'reorder':
      return { reorderedBy: rule }
    case 'source':
      return { how: { ...how, from: effect.address } }
    case 'drip':
      return { dripMs: effect.ms }
    default:
      return marks[effect.kind] ?? {}
  }
}
