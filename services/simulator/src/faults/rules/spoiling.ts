import type { Effect } from './rule'
import type { AppliedRule } from './rules'

/** The combined effect of the rules on one answer. */
export interface Spoiling {
  /** In virtual time. */
  readonly delayMs: number
  /** How long the body takes to send, in virtual time. */
  readonly dripMs: number
  readonly breaking: 'drop' | 'reset' | 'malformed' | undefined
  /** The name of the error that replaces the answer. */
  readonly error: string | undefined
  /** Whether the call is carried out. */
  readonly performed: boolean
  /** Whether the answer waits for the callback. */
  readonly early: boolean
  readonly lie: string | undefined
}

export const unspoiled: Spoiling = {
  delayMs: 0,
  dripMs: 0,
  breaking: undefined,
  error: undefined,
  performed: true,
  early: false,
  lie: undefined,
}

/** Delays add up. The first rule that replaces the answer wins, and so does the first rule of kind `lie`. */
export function spoilingOf(applied: readonly AppliedRule[]): Spoiling {
  const effects = applied.map(({ effect }) => effect)
  const replacement = effects.map(replacementOf).find((found) => found !== undefined)
  return {
    delayMs: sumOf(effects, 'delay'),
    dripMs: sumOf(effects, 'drip'),
    breaking: replacement?.breaking,
    error: replacement?.error,
    performed: replacement?.performed ?? true,
    early: effects.some(({ kind }) => kind === 'early'),
    lie: effects.find((effect) => effect.kind === 'lie')?.code,
  }
}

function sumOf(effects: readonly Effect[], kind: 'delay' | 'drip'): number {
  return effects.reduce((sum, effect) => sum + (effect.kind === kind ? effect.ms : 0), 0)
}

type Replacement = Pick<Spoiling, 'breaking' | 'error' | 'performed'>

function replacementOf(effect: Effect): Replacement | undefined {
  if (isBreaking(effect)) {
    return { breaking: effect.kind, error: undefined, performed: effect.performed }
  }
  if (effect.kind === 'error') {
    return { breaking: undefined, error: effect.error, performed: effect.performed }
  }
  // Every rail has its throttling error under this name.
  return effect.kind === 'limit'
    ? { breaking: undefined, error: 'spike_arrest', performed: false }
    : undefined
}

function isBreaking(effect: Effect): effect is Breaking {
  return effect.kind === 'drop' || effect.kind === 'reset' || effect.kind === 'malformed'
}

type Breaking = Extract<Effect, { readonly kind: 'drop' | 'reset' | 'malformed' }>
