import type { Outcome } from '../../phones/rules/phone'

/**
 * How a push ended, in Daraja's words. The query writes the code as a string, the callback as a number if it is one.
 */
export interface Result {
  readonly code: string
  readonly text: string
}

/** Outcomes that a rule of the network decides, not the phone. */
export type NetworkOutcome =
  | 'below_minimum'
  | 'above_maximum'
  | 'repeated'
  | 'wrong_receiver'
  | 'not_permitted'
  | 'busy'

/** The reasons of the network, as sentences for testers. */
export const networkWords: Readonly<Record<NetworkOutcome, string>> = {
  below_minimum: 'the amount is below the least that it carries',
  above_maximum: 'the amount is above the most that it carries',
  repeated: 'this phone has paid the same amount to the same business within two minutes',
  wrong_receiver: 'PartyB is not the short code that asked',
  not_permitted: 'a Pay Bill number was asked to take a Buy Goods payment',
  busy: 'it is busy (the book of this simulator is full)',
}

/** As in the portal of 28 December 2025, but 26 is from older lists, and the text of `no_answer` from clients. */
export const results = {
  agreed: { code: '0', text: 'The service request is processed successfully.' },
  no_funds: { code: '1', text: 'The balance is insufficient for the transaction.' },
  below_minimum: { code: '2', text: 'Declined due to limit rule.' },
  above_maximum: {
    code: '3',
    text: 'Declined due to limit rule: greater than the maximum transaction amount.',
  },
  over_daily_limit: {
    code: '4',
    text: 'Declined due to limit rule: would exceed daily transfer limit.',
  },
  repeated: { code: '17', text: 'Rule limited.' },
  busy: { code: '26', text: 'System busy. The service request is rejected.' },
  cancelled: { code: '1032', text: 'Request cancelled by user' },
  no_answer: { code: '1037', text: 'No response from user' },
  unreachable: { code: '1037', text: 'DS timeout user cannot be reached' },
  wrong_pin: { code: '2001', text: 'The initiator information is invalid.' },
  not_permitted: {
    code: '2028',
    text: 'The request is not permitted according to product assignment.',
  },
  pin_locked: { code: '8006', text: 'The security credential is locked' },
  wrong_receiver: { code: 'SFC_IC0003', text: 'The operator does not exist.' },
} as const satisfies Record<Outcome | NetworkOutcome, Result>

/** A result in an HTTP 200 that looks like a refusal, and means that the outcome is still open. */
export const processing: Result = {
  code: '4999',
  text: 'The transaction is still under processing',
}

/** The result of a false answer to a query: the code of the rule, with Daraja's own text where there is one. */
export function resultOfCode(code: string): Result {
  const known = [...Object.values(results), processing].find((result) => result.code === code)
  return known ?? { code, text: 'An error occurred' }
}
