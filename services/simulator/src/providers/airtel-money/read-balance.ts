import { majorText } from '@malipo/kernel/money'
import { jsonAnswer, type Operation } from '../rules/rail'
import { understandAuthorised } from './gate'
import type { Market } from './settings'
import type { AirtelMoney } from './state'

/** `GET /standard/v1/users/balance`: the payments that the merchant received, less refunds and payouts. */
export function readBalanceOperation(airtel: AirtelMoney): Operation {
  return {
    moment: 'query',
    method: 'GET',
    path: '/standard/v1/users/balance',
    understand: (call) =>
      understandAuthorised(airtel, call, (market) => ({
        kind: 'understood',
        facets: { business: market.business },
        perform: () => ({ answer: answerOf(airtel, market) }),
      })),
  }
}

function answerOf({ balances }: AirtelMoney, { country, currency }: Market) {
  const [whole = '', cents = '00'] = majorText(balances.get(country) ?? 0n).split('.')
  const shown = `${whole.replace(/\B(?=(?:\d{3})+$)/g, ',')}.${cents}`
  return jsonAnswer(200, {
    data: { balance: shown, currency, account_status: 'Active' },
    status: {
      code: '200',
      message: 'SUCCESS',
      result_code: 'ESB000010',
      response_code: 'DP02100000001',
      success: true,
    },
  })
}
