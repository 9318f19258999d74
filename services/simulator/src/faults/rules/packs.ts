import type { Answer } from '../../phones/rules/phone'
import type { Effect, Facets, Moment, NewRule } from './rule'

/** Ready-made scenarios: each is a few rules, so that a tester needs one call. */
export interface Pack {
  readonly about: string
  /** The steps for the tester and the expected result, as the page shows them. */
  readonly see: string
  readonly rules: readonly PackRule[]
}

/** `when`: what a payment must have for the rule to match, beside what the tester asks for. */
type PackRule = Pick<NewRule, 'on' | 'effect'> &
  Partial<Pick<NewRule, 'when' | 'skip' | 'times' | 'probability'>>

/** The phone answers this long after the prompt, so that a person can find it; automated tests advance the clock. */
const thinkMs = 2_000

const answer = (
  what: Answer,
  limits: Pick<PackRule, 'skip' | 'times'> & { readonly afterMs?: number } = {},
): PackRule => {
  const { afterMs = thinkMs, ...others } = limits
  return { on: 'prompt', effect: { kind: 'answer', answer: what, afterMs }, ...others }
}

const payBill = (percent: number, afterMs: number): PackRule => ({
  on: 'prompt',
  effect: { kind: 'pay_bill', percent, afterMs },
})

const sometimes = (probability: number, on: Moment, effect: Effect): PackRule => ({
  on,
  effect,
  probability,
})

export const packs: Readonly<Record<string, Pack>> = {
  'happy-path': {
    about: 'Every prompt is approved with the right PIN.',
    see: 'Pay: two seconds later the checkout is paid, and the phone has its receipt.',
    rules: [answer('approve')],
  },
  'wrong-pin-then-success': {
    about: 'The first prompt gets a wrong PIN, the next ones the right one.',
    see: 'Pay: it fails for the PIN. Pay again: it is paid, once.',
    rules: [answer('wrong_pin', { times: 1 }), answer('approve', { skip: 1 })],
  },
  'no-funds': {
    about: 'The payer agrees and has too little.',
    see: 'Pay: it fails, and the payer sees why.',
    rules: [answer('no_funds')],
  },
  cancel: {
    about: 'The payer presses Cancel.',
    see: 'Pay: it fails, and can be tried again at once.',
    rules: [answer('cancel')],
  },
  ignore: {
    about: 'The payer ignores the prompt until it ends.',
    see: 'Pay, then press “Next event now”: the payment ends without an answer.',
    rules: [answer('ignore')],
  },
  'callback-lost': {
    about:
      'The payer pays, the callback never comes: the status query finds it, Pull has the receipt.',
    see: 'Pay: the money moves and no callback comes. After half a minute (`QUERY_AFTER_SECONDS`) the query answers 0, and the statement names the receipt.',
    rules: [answer('approve'), { on: 'callback', effect: { kind: 'drop', performed: true } }],
  },
  'paid-not-found': {
    about:
      'The payer pays, the callback comes from an address of no provider, and the first two status queries find no such payment.',
    see: 'Pay: the page says that it is checking, never that it failed, and then that it is paid, once.',
    rules: [
      answer('approve'),
      { on: 'callback', effect: { kind: 'source', address: '203.0.113.7' } },
      {
        on: 'query',
        effect: { kind: 'error', error: 'not_found', performed: false },
        times: 2,
      },
    ],
  },
  'double-callback': {
    about: 'The payer pays, and the callback comes twice.',
    see: 'Pay: two callbacks are delivered, and the merchant has the money once.',
    rules: [
      answer('approve'),
      { on: 'callback', effect: { kind: 'duplicate', copies: 2, everyMs: 500 } },
    ],
  },
  'early-callback': {
    about: 'The callback arrives before the answer to the push.',
    see: 'Pay: the callback stands above the answer to the push, and the checkout is paid.',
    rules: [answer('approve'), { on: 'push', effect: { kind: 'early' } }],
  },
  'echoed-as-pay-bill': {
    about: 'The payer pays by prompt, and the same payment is confirmed as a Pay Bill payment too.',
    see: 'Pay: two callbacks name one receipt, and it counts once.',
    rules: [answer('approve'), { on: 'callback', effect: { kind: 'echo' } }],
  },
  'late-success': {
    about: 'The payer pays, and the callback comes three minutes later.',
    see: 'Pay, wait for the money to move, then press “Next event now”: paid all the same.',
    rules: [answer('approve'), { on: 'callback', effect: { kind: 'delay', ms: 180_000 } }],
  },
  'late-pay-bill': {
    about: 'The prompt rings out, and then the payer pays by Pay Bill.',
    see: 'Pay, then press “Next event now” twice: the prompt ends, the Pay Bill payment completes it. The payer checks on the page.',
    rules: [answer('ignore'), payBill(100, 65_000)],
  },
  'both-paid': {
    about: 'The payer pays by Pay Bill while the prompt is open, and then approves the prompt too.',
    see: 'Pay: two receipts. One completes the checkout, the other waits in suspense.',
    rules: [payBill(100, 500), answer('approve')],
  },
  'part-payment': {
    about: 'The payer ignores the prompt and pays half by Pay Bill.',
    see: 'Pay: the merchant is asked about half the amount and refuses; the phone gets an SMS. “Next event now” ends the prompt.',
    rules: [answer('ignore'), payBill(50, thinkMs)],
  },
  'over-payment': {
    about: 'The payer ignores the prompt and pays one and a half times the amount by Pay Bill.',
    see: 'Pay: the merchant is asked about too much and refuses; the phone gets an SMS. “Next event now” ends the prompt.',
    rules: [answer('ignore'), payBill(150, thinkMs)],
  },
  'two-tabs': {
    about: 'The payer takes fifteen seconds: time to press Pay in a second tab.',
    see: 'Open the page twice and pay in both: one prompt, one payment, and both tabs say paid.',
    rules: [answer('approve', { afterMs: 15_000 })],
  },
  'provider-storm': {
    about: 'Everything goes wrong now and then: slow, refused, lost, doubled, cut off.',
    see: 'Pay a few times: each payment ends, none is paid twice. One seed gives one storm.',
    rules: [
      answer('approve'),
      sometimes(0.3, 'token', { kind: 'delay', ms: 800 }),
      sometimes(0.3, 'push', { kind: 'delay', ms: 3_000 }),
      sometimes(0.2, 'push', { kind: 'error', error: 'spike_arrest', performed: false }),
      sometimes(0.1, 'push', { kind: 'reset', performed: true }),
      sometimes(0.2, 'query', { kind: 'error', error: 'internal', performed: false }),
      sometimes(0.2, 'query', { kind: 'drip', ms: 2_000 }),
      sometimes(0.3, 'callback', { kind: 'drop', performed: true }),
      sometimes(0.3, 'callback', { kind: 'duplicate', copies: 3, everyMs: 700 }),
      sometimes(0.1, 'callback', { kind: 'malformed', performed: true }),
      sometimes(0.2, 'callback', { kind: 'reorder' }),
    ],
  },
  'key-replaced': {
    about: 'The access token is replaced while a payment is under way.',
    see: 'Pay: the push is refused for its token, a new one is taken, and one prompt rings.',
    rules: [
      answer('approve'),
      ...(['push', 'query'] as const).map((on) => ({
        on,
        effect: { kind: 'error', error: 'invalid_token', performed: false } as const,
        times: 1,
      })),
    ],
  },
  'platform-move': {
    about:
      'MTN moves to its new platform: a token of it takes twelve seconds, no callback comes, and a payment is found only on the platform that took it.',
    see: 'Uganda: pay, start the worker with `MTN_MOMO_PLATFORM=new`, pay again: each is paid, once, by status queries on its own platform.',
    rules: [
      answer('approve'),
      { on: 'token', effect: { kind: 'delay', ms: 12_000 }, when: { business: 'mtn-new' } },
      { on: 'callback', effect: { kind: 'drop', performed: true } },
    ],
  },
}

/** The rules of a scenario, for the payments that `when` describes; for all payments when it is empty. */
export function packRules(name: string, pack: Pack, when: Facets): readonly NewRule[] {
  return pack.rules.map((rule) => ({
    skip: 0,
    times: Infinity,
    probability: 1,
    ...rule,
    when: { ...when, ...rule.when },
    fromMs: 0,
    untilMs: Infinity,
    pack: name,
  }))
}
