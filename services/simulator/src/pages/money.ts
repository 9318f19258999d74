import { majorText, type Minor } from '@malipo/kernel/money'
import type { Network } from '../phones/rules/phone'

/** What each network calls its money. */
export const walletOf: Readonly<Record<Network, string>> = {
  safaricom: 'M-PESA',
  mtn: 'MoMo',
  airtel: 'Airtel Money',
}

/** The currency follows the country of the number and not the network, because Airtel is in both countries. */
export function currencyOf(msisdn: string): 'KES' | 'UGX' {
  return msisdn.startsWith('256') ? 'UGX' : 'KES'
}

/** `15005000n` -> `150,050`. */
export function grouped(minor: Minor): string {
  return majorText(minor).replace(/\B(?=(?:\d{3})+(?!\d))(?<!\.\d*)/g, ',')
}
