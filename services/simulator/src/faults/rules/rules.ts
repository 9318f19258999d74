import {
  applyRule,
  matches,
  moments,
  newRule,
  type Effect,
  type Facets,
  type Moment,
  type NewRule,
  type Rule,
} from './rule'

/** The rules of one simulation, by moment, in order of creation. */
export interface Rules {
  /** Undefined when the list is full. */
  add(rule: NewRule, nowMs: number): Rule | undefined
  remove(id: string): boolean
  /** Removes the rules of the previous scenario: only one runs at a time. */
  removePacks(): void
  /** Replaces all rules by these, with their ids and counts. */
  replace(rules: readonly Rule[]): void
  all(): readonly Rule[]
  /** The effects of the matching rules, in order. Counts the matches; a rule that `isPlayed` refuses does not match. */
  effects(
    moment: Moment,
    facets: Facets,
    nowMs: number,
    isPlayed?: (effect: Effect) => boolean,
  ): readonly AppliedRule[]
}

export interface AppliedRule {
  readonly rule: string
  readonly effect: Effect
}

/** Every provider call checks all rules for its moment (token, push, query …), so their number is bounded. */
export const rulesMax = 200

const nothing: readonly AppliedRule[] = []

export function openRules(seed: string): Rules {
  const byMoment = new Map<Moment, Rule[]>(moments.map((moment) => [moment, []]))
  const at = (moment: Moment): readonly Rule[] => byMoment.get(moment) ?? []
  const all = () => [...byMoment.values()].flat()
  let made = 0

  const keep = (isKept: (rule: Rule) => boolean) => {
    for (const [moment, rules] of byMoment) byMoment.set(moment, rules.filter(isKept))
  }

  return {
    add(rule, nowMs) {
      if (all().length >= rulesMax) return undefined
      // A restored snapshot may already contain a rule with the next number.
      do made += 1
      while (all().some(({ id }) => id === `rule_${String(made)}`))
      const added = newRule(`rule_${String(made)}`, rule, nowMs)
      byMoment.get(rule.on)?.push(added)
      return added
    },
    remove(id) {
      const before = all().length
      keep((rule) => rule.id !== id)
      return all().length < before
    },
    removePacks() {
      keep((rule) => rule.pack === undefined)
    },
    replace(rules) {
      keep(() => false)
      for (const rule of rules) byMoment.get(rule.on)?.push(rule)
    },
    all,
    effects(moment, facets, nowMs, isPlayed = () => true) {
      const rules = at(moment)
      if (rules.length === 0) return nothing
      return rules
        .filter((rule) => isPlayed(rule.effect) && matches(rule, facets, nowMs))
        .flatMap((rule) => {
          const effect = applyRule(rule, seed, nowMs)
          return effect === undefined ? [] : [{ rule: rule.id, effect }]
        })
    },
  }
}
