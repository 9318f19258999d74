import type { Minor } from '@malipo/kernel/money'
import type { Book, BookRow, NewBookRow } from '../../book/rules/book'
import type { Capacity } from './capacity'
import type { SimulatedTime } from '../../clock/rules/clock'
import type { EventLog } from '../../inspector/rules/event-log'
import type { AppliedRule, Rules } from '../../faults/rules/rules'
import { magicEffects } from '../../faults/rules/magic'
import type { Effect, Facets, Moment } from '../../faults/rules/rule'
import { detailOf } from '../../faults/rules/rule-texts'
import type { Session } from './session'
import type { PhoneRegistry } from '../../phones/rules/phone-registry'

/** One simulation: a reset discards it and starts another. */
export interface World {
  readonly session: Session
  readonly seed: string
  readonly capacity: Capacity
  /** Real milliseconds since 1970, for the wire and the book. */
  wallNow(): number
  /** Virtual time, for all waits. */
  readonly time: SimulatedTime
  readonly phones: PhoneRegistry
  readonly rules: Rules
  readonly book: Book
  /** For the home session, the books of the sessions that no provider call has named; empty for every other session. */
  readonly otherBooks: () => readonly Book[]
  readonly events: EventLog
  /** Reordered callbacks that wait for the next one, by the rule that reorders them. */
  readonly held: Map<string, () => void>
}

/**
 * Applies the rules of a moment that `isPlayed` accepts, and records each in the events, so that a test sees why a
 * payment failed.
 */
export function applyRules(
  world: World,
  moment: Moment,
  facets: Facets,
  isPlayed: (effect: Effect) => boolean = () => true,
): readonly AppliedRule[] {
  const applied = [
    ...magicEffects(moment, facets.msisdn).filter(({ effect }) => isPlayed(effect)),
    ...world.rules.effects(moment, facets, world.time.now(), isPlayed),
  ]
  for (const { rule, effect } of applied) {
    world.events.append('rule_applied', {
      rule,
      on: moment,
      effect: effect.kind,
      ...(detailOf(effect) !== '' && { detail: detailOf(effect) }),
      ...shownFacets(facets),
    })
  }
  return applied
}

/** Writes a movement of money into the book and into the events. */
export function moveMoney({ book, events }: World, movement: NewBookRow): BookRow {
  const row = book.write(movement)
  const { receipt, reference } = row
  events.append('money_moved', { ...shownFacets(row), receipt, reference })
  return row
}

/** Facets as text for an event or a rule: amounts in minor units. */
export function shownFacets(facets: Facets): Readonly<Record<string, string>> {
  const { msisdn, amountMinor, business, account } = facets
  return {
    ...(msisdn === undefined ? {} : { msisdn }),
    ...(amountMinor === undefined ? {} : { amount: shownMinor(amountMinor) }),
    ...(business === undefined ? {} : { business }),
    ...(account === undefined ? {} : { account }),
  }
}

export function shownMinor(minor: Minor): string {
  return String(minor)
}
