import { readCheckoutId } from '@malipo/interface/fields'
import { requireIdempotencyKey } from '@malipo/interface/idempotency-key'
import { readJsonBody } from '@malipo/interface/json-body'
import { payCheckoutSchema } from '@malipo/interface/payment'
import { canonicalPhone } from '@malipo/interface/phone'
import { Fault } from '@malipo/kernel/errors'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { Gateway } from '../operation'
import { answerPayment } from './answer-payment'
import { keepTryIfShed } from '../limits/keep-try'
import { ratePolicies } from '../limits/rate-policies'
import { readRawBody } from '@malipo/runtime/read-bytes'

/** `POST /v1/payments/public/checkouts/{id}/pay`: sends a prompt to a phone. */
export function payCheckout({ rules, limitAddress, startPayment }: Gateway): Operation {
  const schema = payCheckoutSchema(rules.mobileRails)
  return async (request, response) => {
    const checkoutId = readCheckoutId(request.params['id'])
    const body = readJsonBody(schema, await readRawBody(request))
    const idempotencyKey = requireIdempotencyKey(request.rawHeaders)
    const phone = canonicalPhone(body.phone, rules)
    const rail = body.rail ?? rules.mobileRails[0]

    const giveBack = await limitAddress(request, response, ratePolicies.pay)

    const payment = { checkoutId, idempotencyKey, rail, phone }
    const started = await startPayment(payment)
      .catch(keepTryIfShed(giveBack))
      .catch(explainReported)
    return answerPayment(started, phone)
  }
}

/** This route has one code for an expired checkout, so its text says when a reported payment is being confirmed. */
function explainReported(error: unknown): never {
  if (!(error instanceof Fault) || error.facts['payment'] !== 'reported') throw error
  throw new Fault(error.reason, error.facts, error, {
    description:
      'The checkout has expired, and a payment from the Pay Bill menu is being confirmed: do not pay again',
  })
}
