import type { Answer } from './phone'
import type { Effect, Facets, Moment, NewRule } from './rule'

/** Ready stories: each is a few rules, so that a tester needs one call and no manual. */
export interface Pack {
  readonly about: string
  readonly rules: readonly PackRule[]
}

interface PackRule {
  readonly on: Moment
  readonly effect: Effect
  readonly skip?: number
  readonly times?: number
}

/** A person needs a moment to find the phone; tests that cannot wait move the clock. */
const thinkMs = 2_000

const answer = (what: Answer, limits: Pick<PackRule, 'skip' | 'times'> = {}): PackRule => ({
  on: 'prompt',
  effect: { kind: 'answer', answer: what, afterMs: thinkMs },
  ...limits,
})

export const packs: Readonly<Record<string, Pack>> = {
  'happy-path': {
    about: 'Every prompt is approved with the right PIN.',
    rules: [answer('approve')],
  },
  'wrong-pin-then-success': {
    about: 'The first prompt gets a wrong PIN, the next ones the right one.',
    rules: [answer('wrong_pin', { times: 1 }), answer('approve', { skip: 1 })],
  },
  'no-funds': { about: 'The payer agrees and has too little.', rules: [answer('no_funds')] },
  cancel: { about: 'The payer presses Cancel.', rules: [answer('cancel')] },
  ignore: { about: 'Nobody answers, and the prompt rings out.', rules: [answer('ignore')] },
  'callback-lost': {
    about:
      'The payer pays, the callback never comes: the status query finds it, Pull has the receipt.',
    rules: [answer('approve'), { on: 'callback', effect: { kind: 'drop', performed: true } }],
  },
  'double-callback': {
    about: 'The payer pays, and the callback comes twice.',
    rules: [
      answer('approve'),
      { on: 'callback', effect: { kind: 'duplicate', copies: 2, everyMs: 500 } },
    ],
  },
  'early-callback': {
    about: 'The callback arrives before the answer to the push.',
    rules: [answer('approve'), { on: 'push', effect: { kind: 'early' } }],
  },
  'echoed-as-pay-bill': {
    about: 'The payer pays by prompt, and the same payment is told as a Pay Bill payment too.',
    rules: [answer('approve'), { on: 'callback', effect: { kind: 'echo' } }],
  },
  'late-success': {
    about: 'The payer pays, and the callback comes three minutes later.',
    rules: [answer('approve'), { on: 'callback', effect: { kind: 'delay', ms: 180_000 } }],
  },
}

/** The rules of a pack, for one phone or a few facets, or for all. */
export function packRules(name: string, pack: Pack, when: Facets): readonly NewRule[] {
  return pack.rules.map((rule) => ({
    skip: 0,
    times: Infinity,
    ...rule,
    when,
    probability: 1,
    fromMs: 0,
    untilMs: Infinity,
    pack: name,
  }))
}
