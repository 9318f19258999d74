/**
 * Why a payment took no money: the only list. A cause that is added here does not compile until the wire, the payer
 * pages and the hub have it too.
 */
export const failureCauses = [
  'wrong_pin',
  /** On MTN also the code for a wrong PIN and a busy phone, which MTN does not tell apart. */
  'no_funds',
  'cancelled',
  'no_answer',
  'prompt_expired',
  'session_open',
  /** The same amount was asked of the same phone moments before. */
  'too_soon',
  'busy',
  /** Below the minimum of the provider too. */
  'over_limit',
  'not_registered',
  'locked',
  'card_declined',
  'card_expired',
  /** The payer did not prove to the bank who they are (3-D Secure). */
  'card_not_authenticated',
  'refused',
  /** Never reached the provider: nothing was asked of the payer. */
  'not_started',
  /** We stopped waiting without an answer: money may still come. */
  'unconfirmed',
] as const

export type FailureCause = (typeof failureCauses)[number]
