import type { FailureCause } from '@malipo/kernel/failure-cause'

/** Each cause of a failed attempt, for a merchant's developer: what happened, and what helps. */
const causes = {
  wrong_pin: ['The payer typed a wrong PIN', 'The payer tries again'],
  no_funds: [
    'The balance did not cover the amount and the fee; on MTN MoMo also a wrong PIN or a busy phone',
    'Top up, or another phone or card; on MTN MoMo also try again with the right PIN',
  ],
  cancelled: ['The payer closed the prompt', 'The payer tries again'],
  no_answer: [
    'The phone was off or out of reach, or the payer did not answer',
    'The payer tries again',
  ],
  prompt_expired: ['The prompt was open for too long', 'The payer tries again'],
  session_open: ['Another prompt was open on the phone', 'Close it, wait two minutes, try again'],
  too_soon: ['The same amount from the same phone within two minutes', 'Wait two minutes'],
  busy: ['The provider had no room', 'Try again after a minute'],
  over_limit: ['Below or above what this number may send', 'Another way to pay, or tomorrow'],
  not_registered: ['The number has no mobile money', 'Check the digits, or another phone'],
  locked: ['The PIN is locked', 'The customer care of the provider, or another phone'],
  card_declined: ['The bank of the card declined', 'Another card, or mobile money'],
  card_expired: ['The card has expired', 'Another card, or mobile money'],
  card_not_authenticated: [
    'The bank did not confirm the card holder',
    'Try again, or mobile money',
  ],
  refused: ['The provider refused our request', 'Try again later; tell us when it stays'],
  not_started: ['The provider was not reached; no prompt was sent', 'The payer tries again'],
  unconfirmed: [
    'No answer came in time. Money may still arrive, and the checkout then completes',
    'Read the checkout again before you cancel the order',
  ],
} as const satisfies Record<FailureCause, readonly [what: string, help: string]>

export function causesTable(): string {
  const rows = Object.entries(causes).map(
    ([cause, [what, help]]) => `| \`${cause}\` | ${what} | ${help} |`,
  )
  return ['| Cause | What happened | What helps |', '|---|---|---|', ...rows].join('\n')
}
