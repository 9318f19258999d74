/** Why a payment attempt took no money, in words for its merchant. Every cause that the ledger knows has a text. */
export const failureCauseTexts = {
  wrong_pin: 'The payer entered a wrong PIN',
  no_funds: 'The payer had not enough money',
  cancelled: 'The payer cancelled',
  no_answer: 'The payer did not answer',
  prompt_expired: 'The prompt expired on the phone',
  session_open: 'Another session was open on the phone',
  too_soon: 'The same amount was asked of this phone less than two minutes before',
  busy: 'The provider was busy',
  over_limit: 'Over a limit of the payer',
  not_registered: 'The number is not registered',
  locked: 'The PIN of the payer is locked',
  card_declined: 'The bank declined the card',
  card_expired: 'The card has expired',
  card_not_authenticated: 'The payer did not confirm the payment with their bank',
  not_started: 'Nothing was sent to the payer',
  unconfirmed: 'No word from the provider; money may still arrive',
  refused: 'The provider refused',
} as const

export type FailureCause = keyof typeof failureCauseTexts
