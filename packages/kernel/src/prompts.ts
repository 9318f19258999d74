import type { MobileRail } from './countries'

/** How a rail asks a payer, in seconds. */
export interface PromptTimes {
  /** How long a prompt stays open on a phone at most, by what the provider documents or was seen to do. */
  readonly promptSeconds: number
  /** From the push to the first status query: providers do not know a prompt at once, and some ask for patience. */
  readonly queryAfterSeconds: number
  /** From the push to the moment when the payer may start again: the prompt and one query fit in it. */
  readonly deadlineSeconds: number
}

/** The wait for a payer, by rail. The ledger's deadlines and the texts and countdown of the payer page follow it. */
export const promptTimes = {
  mpesa: { promptSeconds: 60, queryAfterSeconds: 75, deadlineSeconds: 150 },
  mtn_momo: { promptSeconds: 300, queryAfterSeconds: 75, deadlineSeconds: 330 },
  // Airtel wants no enquiry before three minutes have passed.
  airtel_money: { promptSeconds: 180, queryAfterSeconds: 180, deadlineSeconds: 240 },
} as const satisfies Record<MobileRail, PromptTimes>

/** What one status query takes at most, with its wait for a token. */
export const querySeconds = 30
