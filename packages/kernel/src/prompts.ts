import type { MobileRail } from './countries'

export interface PromptTimes {
  /**
   * How long a prompt counts as open on a phone: the longest time that its provider documents. Money that is paid later is
   * settled all the same.
   */
  readonly promptSeconds: number
  /** From the push to the first status query: providers do not know a prompt at once, and some ask for a delay. */
  readonly queryAfterSeconds: number
  /**
   * From the order of a prompt until the payer may try again. By then no prompt is open, however late it was sent, and
   * the status of a prompt that was sent at once has been queried.
   */
  readonly deadlineSeconds: number
}

/** The prompt timings by rail. The ledger's deadlines, and the texts and countdown of the payer page, follow them. */
export const promptTimes = {
  // M-PESA documents no lifetime of a prompt. A prompt closes after about a minute on most phones, and after up to three on some.
  mpesa: { promptSeconds: 60, queryAfterSeconds: 75, deadlineSeconds: 150 },
  mtn_momo: { promptSeconds: 300, queryAfterSeconds: 75, deadlineSeconds: 390 },
  // Airtel forbids a query within three minutes.
  airtel_money: { promptSeconds: 180, queryAfterSeconds: 180, deadlineSeconds: 240 },
} as const satisfies Record<MobileRail, PromptTimes>

/**
 * How long after its order a prompt may still be sent. The usual waits before sending (for the payee's name, a token, a
 * turn) are shorter, and the first status query comes later unless the provider hints at a result.
 */
export const sendWithinSeconds = 60

/**
 * From the order of a prompt until the latest time that a statement may have for its payment: the prompt may leave late, M-PESA's
 * may be open for three minutes, and a payment may be listed with a later time than it was made.
 */
export const paidWithinSeconds = 600

/**
 * The time that a deadline leaves for one status query after the prompt: a token (10 s) and an answer (15 s), with some
 * room. A slower query, such as MTN's with a turn (5 s) and a token of its new platform (25 s), may end after the
 * deadline: the payment is then `unconfirmed` first, and completed late.
 */
export const querySeconds = 30

/** New prompts of a phone within any rolling hour (interface, Rate limits). Replays and re-attachments do not count. */
export const promptsPerPhoneMax = 5
