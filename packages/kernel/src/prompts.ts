import type { MobileRail } from './countries'

/** How long a prompt stays open on a phone at most, by what the provider documents or was seen to do. */
export const promptSeconds = {
  mpesa: 60,
  mtn_momo: 300,
  airtel_money: 180,
} as const satisfies Record<MobileRail, number>
