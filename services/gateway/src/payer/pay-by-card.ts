import { type CardPaymentView, payByCardSchema } from '@malipo/interface/card-payment'
import { readCheckoutId } from '@malipo/interface/fields'
import { requireIdempotencyKey } from '@malipo/interface/idempotency-key'
import { readJsonBody } from '@malipo/interface/json-body'
import { canonicalPhone } from '@malipo/interface/phone'
import type { CardPayment } from '@malipo/ledger-client/cards'
import { succeed } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { Gateway } from '../operation'
import { readRawBody } from '@malipo/runtime/read-bytes'
import { noteSubject } from '@malipo/runtime/telemetry'
import { keepTryIfShed } from '../limits/keep-try'
import { ratePolicies } from '../limits/rate-policies'

/** `POST /v1/payments/public/checkouts/{id}/card`: opens a page of the card gateway. */
export function payByCard(options: Gateway): Operation {
  const { rules, limitAddress, checkOrigin, startCardPayment, awaitCardPage } = options
  return async (request, response) => {
    const checkoutId = readCheckoutId(request.params['id'])
    const sent = await readRawBody(request)
    // Each field is optional, and so is the body.
    const body = sent.bytes.length === 0 ? {} : readJsonBody(payByCardSchema, sent)
    const idempotencyKey = requireIdempotencyKey(request.rawHeaders)
    const phone = body.phone === undefined ? undefined : canonicalPhone(body.phone, rules)
    checkOrigin(request)

    const giveBack = await limitAddress(request, response, ratePolicies.card)

    const payer = { name: body.payer_name, email: body.payer_email, phone }
    const starting = startCardPayment({ checkoutId, idempotencyKey, payer })
    const { payment, outcome } = await starting.catch(keepTryIfShed(giveBack))
    noteSubject({ intentId: payment.intent.intentId })
    const shown = show(await awaitCardPage(checkoutId, payment), options.baseUrl, checkoutId)
    return outcome === 'started'
      ? succeed(202, 'Card payment initiated', shown)
      : succeed(200, 'Card payment initiated', shown, { 'Idempotency-Replayed': 'true' })
  }
}

function show(payment: CardPayment, baseUrl: string, checkoutId: string): CardPaymentView {
  const { intent, feeMinor, totalMinor, opened, expiresAt } = payment
  return {
    intent_id: intent.intentId,
    status: intent.status,
    amount: String(intent.amountMinor),
    fee: String(feeMinor),
    total: String(totalMinor),
    session_id: opened?.sessionId ?? null,
    redirect_url: baseUrl + cardPath(checkoutId, intent.intentId),
    expires_at: expiresAt.toISOString(),
  }
}

/** Our own address, which redirects to the card gateway's page while that is open. */
export function cardPath(checkoutId: string, intentId: string): string {
  return `/c/${checkoutId}/card/${intentId}`
}
