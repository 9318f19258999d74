import { jsonAnswer, type Operation, type Performed, type Understood } from '../rules/rail'
import { receiveSms } from '../../phones/rules/phone'
import { moveMoney } from '../../sessions/rules/world'
import { asFields, fieldsAt, fieldText } from '../wire-call'
import { errorAnswer, refuse } from './errors'
import { understandAuthorised } from './gate'
import { nextReceipt } from './conclude'
import type { Market } from './settings'
import { type AirtelMoney, changeBalance, type Payment } from './state'

/** `POST /standard/v1/payments/refund`: refunds a whole payment, named by its receipt (providers.md 4). */
export function giveBackOperation(airtel: AirtelMoney): Operation {
  return {
    moment: 'refund',
    method: 'POST',
    path: '/standard/v1/payments/refund',
    understand: (call) =>
      understandAuthorised(airtel, call, (market) => {
        const transaction = fieldsAt(asFields(call.json) ?? {}, 'transaction')
        return understandRefund(airtel, market, fieldText(transaction, 'airtel_money_id'))
      }),
  }
}

function understandRefund(airtel: AirtelMoney, market: Market, receipt: string): Understood {
  if (receipt === '') return refuse('invalid_fields')
  const payment = airtel.byReceipt.get(receipt)
  if (payment?.market !== market) return refuse('not_found')
  return {
    kind: 'understood',
    facets: { ...payment, reference: receipt },
    // Checked in `perform`, so that rules apply to a call that is refused here too.
    perform: () =>
      canGiveBack(airtel, payment) ? giveBack(airtel, payment) : { answer: errorAnswer('failed') },
  }
}

/** A payment is refunded once, and only when the merchant's balance covers it. */
function canGiveBack({ balances, world }: AirtelMoney, payment: Payment): boolean {
  const { refunded, amountMinor, market } = payment
  return !refunded && amountMinor <= (balances.get(market.country) ?? 0n) && !world.book.isFull()
}

function giveBack(airtel: AirtelMoney, payment: Payment): Performed {
  const { world, settings } = airtel
  const phone = world.phones.find(payment.msisdn)
  if (phone !== undefined) phone.balanceMinor += payment.amountMinor
  changeBalance(airtel, payment.market, -payment.amountMinor)
  payment.refunded = true
  const row = moveMoney(world, {
    receipt: nextReceipt(airtel),
    provider: 'airtel_money',
    kind: 'reversal',
    msisdn: payment.msisdn,
    business: payment.business,
    account: payment.receipt ?? '',
    amountMinor: payment.amountMinor,
    reference: payment.id,
  })
  if (phone !== undefined) {
    const text = `${settings.businessName} has sent back ${payment.receipt ?? ''}. Trans ID ${row.receipt}.`
    receiveSms(phone, { atMs: row.atMs, from: 'AirtelMoney', text })
  }
  return {
    answer: jsonAnswer(200, {
      data: { transaction: { airtel_money_id: row.receipt, status: 'SUCCESS' } },
      status: { code: '200', message: 'SUCCESS', result_code: 'ESB000010', success: true },
    }),
    reference: row.receipt,
  }
}
