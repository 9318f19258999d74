/**
 * Why a payment took no money: the only list. A new cause does not compile until the wire, the payer pages and the
 * hub have it too.
 */
export const failureCauses = [
  'wrong_pin',
  /** On MTN, also the code for a wrong PIN and a busy phone: MTN does not distinguish them. */
  'no_funds',
  'cancelled',
  'no_answer',
  'prompt_expired',
  'session_open',
  /** The same amount was requested from the same phone moments before. */
  'too_soon',
  'busy',
  /** Also used for amounts below the provider's minimum. */
  'over_limit',
  'not_registered',
  'locked',
  'card_declined',
  'card_expired',
  /** The payer failed the bank's authentication (3-D Secure). */
  'card_not_authenticated',
  'refused',
  /** Never sent to the provider: the payer got no prompt. */
  'not_started',
  /** We stopped waiting without an answer: money may still come. */
  'unconfirmed',
] as const

export type FailureCause = (typeof failureCauses)[number]
