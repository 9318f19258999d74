import type { PaymentView } from '@malipo/interface/hub'
import type { FailureCause } from '@malipo/kernel/failure-cause'

/** Why a payment took no money, in the merchant's words. A cause without a text does not compile. */
const causes: Readonly<Record<FailureCause, string>> = {
  wrong_pin: 'Wrong PIN',
  no_funds: 'Insufficient funds',
  cancelled: 'The payer cancelled',
  no_answer: 'The payer did not answer in time',
  prompt_expired: 'The prompt expired on the phone',
  session_open: 'Another payment session was open',
  too_soon: 'The same amount was asked of this number less than two minutes before',
  busy: 'The provider was busy',
  over_limit: 'Below or above what the payer may send',
  not_registered: 'The number is not registered',
  locked: 'The payer’s PIN is locked',
  card_declined: 'The bank declined the card',
  card_expired: 'The card has expired',
  card_not_authenticated: 'The payer did not pass the bank’s check (3-D Secure)',
  not_started: 'Nothing was sent to the payer',
  unconfirmed: 'No answer from the provider; money may still arrive',
  refused: 'The provider refused',
}

/** Exceptions: a card has no prompt and no PIN, and MTN has one code for several causes. */
const railCauses: Readonly<Record<string, Readonly<Partial<Record<FailureCause, string>>>>> = {
  mtn_momo: {
    no_funds: 'Insufficient funds, or a wrong PIN: MTN does not tell them apart',
  },
  card: {
    no_funds: 'Insufficient funds on the card',
    no_answer: 'The payer did not finish in time',
    prompt_expired: 'The card page expired',
    not_started: 'The card page was not opened',
    unconfirmed: 'No answer from the card gateway; money may still arrive',
    refused: 'The card gateway refused',
  },
}

export function causeText(
  { cause, rail }: Pick<PaymentView, 'cause' | 'rail'>,
  isFoundUnpaid = false,
): string {
  if (cause === null) return 'No reason given'
  if (cause === 'unconfirmed' && isFoundUnpaid)
    return 'Reported as paid; our check found no payment'
  return railCauses[rail]?.[cause] ?? causes[cause]
}
