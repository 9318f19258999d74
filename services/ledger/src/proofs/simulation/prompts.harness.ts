import type { MobileRail, Rail } from '@malipo/kernel/countries'
import { promptTimes } from '@malipo/kernel/prompts'

/** How long a prompt is open on a phone. */
export const promptSeconds = {
  mpesa: promptTimes.mpesa.promptSeconds,
  mtn_momo: promptTimes.mtn_momo.promptSeconds,
  airtel_money: promptTimes.airtel_money.promptSeconds,
} as const

/** A card page is asked about, and given up, as a prompt of M-PESA. */
export function promptRail(rail: Rail): MobileRail {
  return rail === 'card' || rail === 'paybill' ? 'mpesa' : rail
}
