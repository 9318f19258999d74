import { createHmac } from 'node:crypto'
import { paidMessage } from './messages'
import type { Result } from './results'
import type { AirtelMoneySettings } from './settings'
import type { Payment } from './state'

/**
 * The body that Airtel posts: `status_code`, no amount, and a `hash` when callback authentication is on. Which bytes
 * it is made over is documented nowhere; here it is the compact JSON of `transaction` (providers.md 4).
 */
export function callbackBody(
  payment: Payment,
  result: Result,
  settings: AirtelMoneySettings,
): string {
  const isPaid = result.status === 'TS'
  const transaction = JSON.stringify({
    id: payment.id,
    message: isPaid ? paidMessage(payment, settings.businessName) : result.message,
    status_code: isPaid ? 'TS' : 'TF',
    ...(payment.receipt === undefined ? {} : { airtel_money_id: payment.receipt }),
  })
  const { callbackKey } = settings
  if (callbackKey === undefined) return `{"transaction":${transaction}}`
  const hash = createHmac('sha256', callbackKey).update(transaction).digest('base64')
  return `{"transaction":${transaction},"hash":${JSON.stringify(hash)}}`
}
