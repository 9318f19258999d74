import { fingerprintOf } from '@malipo/interface/fingerprint'
import { readIdempotencyKey } from '@malipo/interface/idempotency-key'
import { readJsonBody } from '@malipo/interface/json-body'
import { createCheckoutSchema, textsOfLines } from '@malipo/interface/merchant-checkout'
import { canonicalPhone } from '@malipo/interface/phone'
import { succeed } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { Gateway } from '../operation'
import { explainAmountLimits } from '../limits/explain-amount-limits'
import { keepTryIfShed } from '../limits/keep-try'
import { ratePolicies } from '../limits/rate-policies'
import { readRawBody } from '@malipo/runtime/read-bytes'
import { noteSubject } from '@malipo/runtime/telemetry'
import { orderOf, showMerchantCheckout } from './merchant-checkout'

/**
 * `POST /v1/payments/merchant/checkouts`. The request's shape is checked before its key, so a 400 reveals nothing
 * about the key (interface, Authentication 9).
 */
export function createCheckout({
  rules,
  baseUrl,
  authenticate,
  limitRate,
  ledger,
}: Gateway): Operation {
  return async (request, response) => {
    const body = readJsonBody(createCheckoutSchema, await readRawBody(request), textsOfLines)
    const idempotencyKey = readIdempotencyKey(request.rawHeaders)
    const phone = body.phone === undefined ? undefined : canonicalPhone(body.phone, rules)

    const { accountId, cell } = await authenticate(request)
    const giveBack = await limitRate(response, ratePolicies.merchant, accountId)

    const input = {
      ...orderOf(body),
      ...{ accountId, idempotencyKey, phone, fingerprint: fingerprintOf({ ...body, phone }) },
    }
    const creating = ledger.of(cell).createCheckout(input).catch(keepTryIfShed(giveBack))
    const { checkout, isReplay } = await explainAmountLimits(rules, creating)
    noteSubject({ checkoutId: checkout.checkoutId })
    const view = showMerchantCheckout(checkout, baseUrl)
    return isReplay
      ? succeed(200, 'Checkout created', view, { 'Idempotency-Replayed': 'true' })
      : succeed(201, 'Checkout created', view)
  }
}
