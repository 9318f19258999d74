import { jsonAnswer, type Operation } from '../rules/rail'
import { understandAuthorised } from './gate'
import { refuse } from './errors'
import type { AirtelMoney } from './state'

/** `GET /standard/v1/disbursements/{id}`: returns the status of a payout that the merchant sent. */
export function readPayoutOperation(airtel: AirtelMoney): Operation {
  return {
    moment: 'query',
    method: 'GET',
    path: '/standard/v1/disbursements/{id}',
    understand: (call) =>
      understandAuthorised(airtel, call, (market) => {
        const payout = airtel.payouts.get(call.params['id'] ?? '')
        if (payout?.market !== market) return refuse('payout_not_found')
        const { id, msisdn } = payout
        const message = 'Your Request is submitted Successfully.'
        const answer = jsonAnswer(200, {
          data: { transaction: { id, message, status: 'TS' } },
          status: {
            code: '200',
            message: 'SUCCESS',
            result_code: 'ESB000010',
            response_code: 'DP00900001001',
            success: true,
          },
        })
        return {
          kind: 'understood',
          facets: { msisdn, reference: id },
          perform: () => ({ answer }),
        }
      }),
  }
}
