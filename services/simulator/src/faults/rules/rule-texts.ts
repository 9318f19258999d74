import type { Effect, Moment } from './rule'

/** The facts in the event of an applied rule. */
interface AppliedFacts {
  readonly on: string
  readonly effect: string
  readonly detail: string
}

/**
 * The text of each effect, which continues that of its moment (`the callback` and `never comes`), and the setting that
 * a tester gives for it, if any.
 */
export const effectWords: Readonly<
  Record<Effect['kind'], { readonly about: string; readonly asks?: string }>
> = {
  delay: { about: 'comes later', asks: 'ms' },
  drip: { about: 'comes a little at a time', asks: 'ms' },
  drop: { about: 'never comes' },
  reset: { about: 'ends in a reset connection' },
  malformed: { about: 'is cut off in the middle' },
  error: { about: 'is an error', asks: 'error' },
  limit: { about: 'is refused above so many a second', asks: 'per_second' },
  early: { about: 'waits for the callback' },
  lie: { about: 'lies', asks: 'code' },
  answer: { about: 'is answered', asks: 'answer' },
  pay_bill: { about: 'is paid from the menu too', asks: 'percent' },
  duplicate: { about: 'comes several times', asks: 'copies' },
  reorder: { about: 'lets the next one pass' },
  echo: { about: 'is confirmed as Pay Bill too' },
  amount: { about: 'names another amount', asks: 'amount' },
  source: { about: 'comes from an unlisted address', asks: 'address' },
  fails: { about: 'fails' },
  wrong_secret: { about: 'carries a wrong secret' },
}

/** The moments at which rules apply; each begins the sentence that the effect's text continues. */
export const momentWords: Readonly<Record<Moment, string>> = {
  token: 'the answer to a token call',
  push: 'the answer to a push',
  query: 'the answer to a status query',
  register: 'the answer to a registration',
  simulate: 'the answer to C2B simulate',
  qr: 'the answer to a QR code',
  pull: 'the answer to a statement',
  session: 'the answer to a card session',
  refund: 'the answer to a refund',
  payout: 'the answer to a payout',
  prompt: 'the prompt on the phone',
  challenge: '3-D Secure',
  callback: 'the callback',
}

/** The word that the text of an effect needs in its event: an error, an answer, a code or a percentage; else empty. */
export function detailOf(effect: Effect): string {
  if (effect.kind === 'error') return effect.error
  if (effect.kind === 'answer') return effect.answer
  if (effect.kind === 'lie') return effect.code
  return effect.kind === 'pay_bill' ? `${String(effect.percent)} %` : ''
}

/** `callback`, `drop` -> `the callback never comes`. An unknown moment or effect appears by its name. */
export function ruleSentence({ on = '', effect = '', detail = '' }: Partial<AppliedFacts>): string {
  const where = on in momentWords ? momentWords[on as Moment] : on
  const what = effect in effectWords ? effectWords[effect as Effect['kind']].about : effect
  return detail === '' ? `${where} ${what}` : `${where} ${what} (${detail.replaceAll('_', ' ')})`
}
