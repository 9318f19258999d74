import { pick } from '../../sessions/rules/draw'
import { jsonAnswer, type Operation, type Understood, type WireAnswer } from '../rules/rail'
import { shownFacets } from '../../sessions/rules/world'
import { fieldText, type Fields } from '../wire-call'
import { stillProcessing, refuseField } from './errors'
import { badQueryField, understandSigned } from './fields'
import { processing, resultOfCode, type Result } from './result-codes'
import type { Mpesa, Push } from './state'

/** `POST /mpesa/stkpushquery/v1/query`: how a push ended, without a receipt and an amount (providers.md 1.6). */
export function queryOperation(mpesa: Mpesa): Operation {
  return {
    moment: 'query',
    method: 'POST',
    path: '/mpesa/stkpushquery/v1/query',
    takesLies: true,
    understand: (call) =>
      understandSigned(mpesa, call, badQueryField, (fields) => understandQuery(mpesa, fields)),
  }
}

function understandQuery(mpesa: Mpesa, fields: Fields): Understood {
  const push = mpesa.pushes.get(fieldText(fields, 'CheckoutRequestID'))
  if (push === undefined) return refuseField(mpesa, 'CheckoutRequestID')
  return {
    kind: 'understood',
    facets: { ...push, reference: push.checkoutRequestId },
    perform: (lie) => ({ answer: answerOf(mpesa, push, lie) }),
  }
}

function answerOf(mpesa: Mpesa, push: Push, lie: string | undefined): WireAnswer {
  push.queries += 1
  const result = lie === undefined ? push.result : resultOfCode(lie)
  mpesa.world.events.append('query_answered', {
    ...shownFacets(push),
    reference: push.checkoutRequestId,
    result: result?.code ?? 'processing',
  })
  return result === undefined ? answerPending(mpesa, push) : answerResult(push, result)
}

/** Daraja has two ways to say that the outcome is open, and both are in use. */
function answerPending(mpesa: Mpesa, push: Push): WireAnswer {
  const label = `pending ${push.checkoutRequestId} ${String(push.queries)}`
  return pick(mpesa.world.seed, label, ['error', '4999']) === 'error'
    ? stillProcessing(push.checkoutRequestId)
    : answerResult(push, processing)
}

function answerResult(push: Push, result: Result): WireAnswer {
  return jsonAnswer(200, {
    ResponseCode: '0',
    ResponseDescription: 'The service request has been accepted successfully',
    MerchantRequestID: push.merchantRequestId,
    CheckoutRequestID: push.checkoutRequestId,
    ResultCode: result.code,
    ResultDesc: result.text,
  })
}
