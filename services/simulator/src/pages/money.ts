import { majorText, type Minor } from '@malipo/kernel/money'
import type { Network } from '../phones/rules/phone'

/** The currency of each network, and its name for money. */
export const moneyOf = {
  safaricom: { currency: 'KES', wallet: 'M-PESA' },
  mtn: { currency: 'UGX', wallet: 'MoMo' },
  airtel: { currency: 'UGX', wallet: 'Airtel Money' },
} as const satisfies Record<Network, { currency: string; wallet: string }>

/** `15005000n` -> `150,050`. */
export function grouped(minor: Minor): string {
  return majorText(minor).replace(/\B(?=(?:\d{3})+(?!\d))(?<!\.\d*)/g, ',')
}
