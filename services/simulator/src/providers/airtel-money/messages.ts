import { majorText } from '@malipo/kernel/money'
import type { Payment } from './state'

/** What Airtel writes to payer and merchant alike; the fee in it is the payer's and not ours. */
export function paidMessage(payment: Payment, businessName: string): string {
  const { currency } = payment.market
  return `Paid ${currency} ${shown(payment)} to ${businessName} Charge ${currency} 0, Trans ID ${payment.receipt ?? ''}.`
}

/** `500000n` -> `5,000`. */
function shown({ amountMinor }: Payment): string {
  return majorText(amountMinor).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
