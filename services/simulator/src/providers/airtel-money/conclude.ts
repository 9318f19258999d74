import { createHmac } from 'node:crypto'
import { majorText } from '@malipo/kernel/money'
import { type Outcome, type Phone, receiveSms } from '../../phones/rules/phone'
import { moveMoney } from '../../sessions/rules/world'
import { callBack } from '../call-back'
import { type NetworkOutcome, type Result, results } from './results'
import { type AirtelMoney, changeBalance, type Payment } from './state'
import type { AirtelMoneySettings } from './settings'
import { draw } from '../../sessions/rules/draw'

/** Ends a payment after the payer's answer: moves the money or not, and sends the callback. */
export function conclude(
  airtel: AirtelMoney,
  phone: Phone,
  payment: Payment,
  outcome: Outcome,
): void {
  if (outcome === 'agreed') pay(airtel, phone, payment)
  finish(airtel, payment, outcome)
}

export function finish(
  airtel: AirtelMoney,
  payment: Payment,
  outcome: Outcome | NetworkOutcome,
): void {
  const { settings } = airtel
  const result = results[outcome]
  payment.result = result
  const settled = () => {
    payment.calledBack = true
    for (const run of payment.waiting.splice(0)) run()
  }
  const url = settings.callbackUrls[payment.market.country]
  if (url === undefined) {
    settled()
    return
  }
  callBack(airtel.world, airtel.deliver, {
    url,
    facets: payment,
    reference: payment.id,
    result: result.status,
    body: (amountMinor) => callbackBody({ ...payment, amountMinor }, result, settings),
    settled,
  })
}

function pay(airtel: AirtelMoney, phone: Phone, payment: Payment): void {
  const { world, settings } = airtel
  phone.balanceMinor -= payment.amountMinor
  changeBalance(airtel, payment.market, payment.amountMinor)
  const row = moveMoney(world, {
    receipt: nextReceipt(airtel),
    provider: 'airtel_money',
    kind: 'ussd_push',
    msisdn: payment.msisdn,
    business: payment.business,
    account: payment.account,
    amountMinor: payment.amountMinor,
    reference: payment.id,
  })
  payment.receipt = row.receipt
  airtel.byReceipt.set(row.receipt, payment)
  receiveSms(phone, {
    atMs: row.atMs,
    from: 'AirtelMoney',
    text: paidMessage(payment, settings.businessName),
  })
}

/**
 * The body that Airtel posts: `status_code`, no amount, and a `hash` when callback authentication is on. No document of
 * Airtel says which bytes are hashed; here they are the compact JSON of `transaction` (providers.md 4).
 */
function callbackBody(payment: Payment, result: Result, settings: AirtelMoneySettings): string {
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

const minutesInYear = 525_600
const firstYearMs = Date.UTC(2026, 0, 1)
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const numbersInLetter = 100_000

/**
 * The n-th `airtel_money_id`, such as `MP261120.1425.L06941`. The ids begin at a minute drawn from the seed, because
 * with the real minute no two runs would be alike, and count on through numbers, then letters, then minutes.
 */
export function nextReceipt(airtel: AirtelMoney): string {
  airtel.counts.receipts += 1
  const inMinute = letters.length * numbersInLetter
  const start = Math.floor(draw(airtel.world.seed, 'airtel receipt') * minutesInYear * inMinute)
  const place = start + airtel.counts.receipts
  const time = new Date(firstYearMs + Math.floor(place / inMinute) * 60_000).toISOString()
  const day = time.slice(2, 10).replaceAll('-', '')
  const minute = time.slice(11, 16).replace(':', '')
  const letter = letters.charAt(Math.floor((place % inMinute) / numbersInLetter))
  return `MP${day}.${minute}.${letter}${String(place % numbersInLetter).padStart(5, '0')}`
}

/** Airtel's text for payer and merchant. The charge in it is a fee of the payer, not of the merchant. */
export function paidMessage(payment: Payment, businessName: string): string {
  const { currency } = payment.market
  return `Paid ${currency} ${shown(payment)} to ${businessName} Charge ${currency} 0, Trans ID ${payment.receipt ?? ''}.`
}

/** `500000n` -> `5,000`. */
function shown({ amountMinor }: Payment): string {
  return majorText(amountMinor).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
