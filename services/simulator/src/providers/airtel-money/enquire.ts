import { draw } from '../../sessions/rules/draw'
import { jsonAnswer, type Operation, type Understood, type WireAnswer } from '../rules/rail'
import { shownFacets } from '../../sessions/rules/world'
import { understandAuthorised } from './gate'
import { paidMessage } from './conclude'
import type { Market } from './settings'
import { refuse } from './errors'
import { inProgress, resultOfWord, type Result } from './results'
import type { AirtelMoney, Payment } from './state'

/** `GET /standard/v1/payments/{id}`: the status. The answer has no amount (providers.md 4). */
export function enquireOperation(airtel: AirtelMoney): Operation {
  return {
    moment: 'query',
    method: 'GET',
    path: '/standard/v1/payments/{id}',
    takesLies: true,
    understand: (call) =>
      understandAuthorised(airtel, call, (market) =>
        understandEnquiry(airtel, market, call.params['id'] ?? ''),
      ),
  }
}

function understandEnquiry(airtel: AirtelMoney, market: Market, id: string): Understood {
  const payment = airtel.payments.get(id)
  if (payment?.market !== market) return refuse('not_found')
  return {
    kind: 'understood',
    facets: { ...payment, reference: payment.id },
    perform: (lie) => ({ answer: answerOf(airtel, payment, lie) }),
  }
}

function answerOf(airtel: AirtelMoney, payment: Payment, lie: string | undefined): WireAnswer {
  const { world, settings } = airtel
  const result = lie === undefined ? (payment.result ?? inProgress) : resultOfWord(lie)
  world.events.append('query_answered', {
    ...shownFacets(payment),
    reference: payment.id,
    result: result.status,
  })
  const isPaid = result.status === 'TS' && payment.receipt !== undefined
  return jsonAnswer(200, {
    data: {
      transaction: {
        ...(isPaid ? { airtel_money_id: payment.receipt } : {}),
        id: payment.id,
        message: isPaid ? paidMessage(payment, settings.businessName) : result.message,
        status: result.status,
      },
    },
    status: envelopeOf(world.seed, payment, result),
  })
}

/**
 * The envelope around one failed payment in five says success, as in a real sample. Then `message`, `result_code` and
 * `success` are wrong, and only `response_code` and the transaction tell the failure.
 */
function envelopeOf(seed: string, payment: Payment, result: Result) {
  const isFailure = result.status === 'TF' || result.status === 'TE'
  const isHonest = draw(seed, `envelope ${payment.id}`) < 0.8
  const isFailureShown = isFailure && isHonest
  return {
    code: '200',
    message: isFailureShown ? 'FAILED' : 'Success',
    result_code: isFailureShown ? 'ESB000011' : 'ESB000010',
    response_code: result.responseCode,
    success: !isFailureShown,
  }
}
