import type { ResolvedHandle } from '@malipo/accounts-client/accounts'
import { payHandleSchema } from '@malipo/interface/handle'
import { requireIdempotencyKey } from '@malipo/interface/idempotency-key'
import { readJsonBody } from '@malipo/interface/json-body'
import { canonicalPhone } from '@malipo/interface/phone'
import { Fault } from '@malipo/kernel/errors'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { Gateway } from '../operation'
import { readRawBody } from '@malipo/runtime/read-bytes'
import { answerPayment } from './answer-payment'
import { keepTryIfShed } from '../limits/keep-try'
import { explainAmountLimits } from '../limits/explain-amount-limits'
import { ratePolicies } from '../limits/rate-policies'

/** `POST /v1/payments/public/checkout`: sends a prompt that pays a handle or link. */
export function payHandle({
  rules,
  limitAddress,
  findPayee,
  startHandlePayment,
}: Gateway): Operation {
  const schema = payHandleSchema(rules.mobileRails)
  return async (request, response) => {
    const body = readJsonBody(schema, await readRawBody(request))
    const idempotencyKey = requireIdempotencyKey(request.rawHeaders)
    const phone = canonicalPhone(body.phone, rules)
    const rail = body.rail ?? rules.mobileRails[0]

    const giveBack = await limitAddress(request, response, ratePolicies.pay)

    const payee = await findPayee(body.handle)
    if (!payee.isServedHere) throw elsewhere(payee)
    const input = { payee, amountMinor: body.amount, idempotencyKey, rail, phone }
    const starting = startHandlePayment(input).catch(keepTryIfShed(giveBack))
    return answerPayment(await explainAmountLimits(rules, starting), phone)
  }
}

function elsewhere({ handle, homeCountry }: ResolvedHandle): Fault {
  const country = homeCountry.toUpperCase()
  const description = `This handle is paid on the payments host of ${country}, which holds its money`
  return new Fault('checkout_not_found', { handle }, undefined, { description })
}
