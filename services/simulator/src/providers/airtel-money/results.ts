import type { Outcome } from '../../phones/rules/phone'

/** The status of a payment in Airtel's words, with the code that says why. */
export interface Result {
  readonly status: 'TS' | 'TF' | 'TA' | 'TE' | 'TIP'
  readonly responseCode: string
  readonly message: string
}

/** Outcomes that the network decides, not the phone. */
export type NetworkOutcome = 'busy'

/** Codes and texts of developers.airtel.ug (providers.md 4), as its integrators copied them. */
export const results = {
  agreed: { status: 'TS', responseCode: 'DP00800001001', message: 'Transaction is successful.' },
  wrong_pin: {
    status: 'TF',
    responseCode: 'DP00800001002',
    message: 'Incorrect pin has been entered.',
  },
  over_daily_limit: {
    status: 'TF',
    responseCode: 'DP00800001003',
    message: 'The User has exceeded their wallet allowed transaction limit.',
  },
  no_answer: { status: 'TF', responseCode: 'DP00800001005', message: "User didn't enter the pin." },
  no_funds: {
    status: 'TF',
    responseCode: 'DP00800001007',
    message: 'User wallet does not have enough money to cover the payable amount.',
  },
  cancelled: {
    status: 'TF',
    responseCode: 'DP00800001008',
    message: 'The transaction was refused.',
  },
  pin_locked: { status: 'TF', responseCode: 'DP00800001009', message: 'Do not honor' },
  unreachable: {
    status: 'TE',
    responseCode: 'DP00800001029',
    message: 'Transaction has been expired.',
  },
  busy: { status: 'TF', responseCode: 'DP00800001008', message: 'The transaction was refused.' },
} as const satisfies Record<Outcome | NetworkOutcome, Result>

export const inProgress: Result = {
  status: 'TIP',
  responseCode: 'DP00800001006',
  message: 'Transaction in pending state. Please check after sometime.',
}

const ambiguous: Result = {
  status: 'TA',
  responseCode: 'DP00800001000',
  message: 'The transaction is still processing and is in ambiguous state.',
}

/**
 * The result of a false answer to an enquiry. A `word` that is no status or code of the lists above is taken for a
 * code.
 */
export function resultOfWord(word: string): Result {
  const known = [...Object.values(results), inProgress, ambiguous].find(
    ({ status, responseCode }) => status === word || responseCode === word,
  )
  return known ?? { ...ambiguous, responseCode: word }
}
