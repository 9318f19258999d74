import type { MobileRail } from './countries'

/** The timings of a rail's prompts, in seconds. */
export interface PromptTimes {
  /** The longest time a prompt stays open, as documented by the provider or observed. */
  readonly promptSeconds: number
  /** From the push to the first status query: providers do not know a prompt at once, and some ask for a delay. */
  readonly queryAfterSeconds: number
  /** From the push to the payer's next try: longer than the prompt and one query. */
  readonly deadlineSeconds: number
}

/** The prompt timings by rail. The ledger's deadlines, and the texts and countdown of the payer page, follow them. */
export const promptTimes = {
  mpesa: { promptSeconds: 60, queryAfterSeconds: 75, deadlineSeconds: 150 },
  mtn_momo: { promptSeconds: 300, queryAfterSeconds: 75, deadlineSeconds: 330 },
  // Airtel forbids a query within three minutes.
  airtel_money: { promptSeconds: 180, queryAfterSeconds: 180, deadlineSeconds: 240 },
} as const satisfies Record<MobileRail, PromptTimes>

/** The longest duration of one status query, including its wait for a token. */
export const querySeconds = 30

/** New prompts of a phone within any rolling hour (interface, Rate limits). Replays and re-attachments are not counted. */
export const promptsPerPhoneMax = 5
