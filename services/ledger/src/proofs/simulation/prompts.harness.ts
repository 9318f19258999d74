import type { MobileRail, Rail } from '@malipo/kernel/countries'
import { promptTimes } from '@malipo/kernel/prompts'
import type { SubmitOutcome } from '../../intents/rules/decide-submit'
import { type Intent, type Moment, never } from './tables.harness'

/** How long a prompt is open on a phone. */
export const promptSeconds = {
  mpesa: promptTimes.mpesa.promptSeconds,
  mtn_momo: promptTimes.mtn_momo.promptSeconds,
  airtel_money: promptTimes.airtel_money.promptSeconds,
} as const

/** The rail of a prompt. A card and the menu send none; they count as M-PESA here, and its times are not used. */
export function promptRail(rail: Rail): MobileRail {
  return rail === 'card' || rail === 'paybill' ? 'mpesa' : rail
}

/** Notes how the call that sent a prompt ended. A later end changes nothing. */
export function endCall(intent: Intent, outcome: SubmitOutcome, now: Moment): void {
  if (!intent.isCallEnded && outcome === 'accepted') intent.acceptedAt = now
  intent.isCallEnded = true
}

/** When a prompt came to its phone, as far as that is known. */
export function sentAt({ acceptedAt, submittedAt }: Intent): Moment {
  return acceptedAt === never ? submittedAt : acceptedAt
}
