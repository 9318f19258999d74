import { readCheckoutId } from '@malipo/interface/fields'
import { requireIdempotencyKey } from '@malipo/interface/idempotency-key'
import { readJsonBody } from '@malipo/interface/json-body'
import { payCheckoutSchema, type PaymentView } from '@malipo/interface/payment'
import { canonicalPhone } from '@malipo/interface/phone'
import type { CountryRules } from '@malipo/kernel/countries'
import { maskPhone } from '@malipo/kernel/ids'
import { succeed } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/door'
import type { Intent, StartOutcome } from '../clients/checkout'
import { addressGroup, type ClientAddress } from '@malipo/runtime/client-address'
import type { LimitRate } from './limit-rate'
import { ratePolicies } from './rate-window'
import { readRawBody } from '@malipo/runtime/read-bytes'
import type { StartPayment } from './start-payment'

export interface PayCheckoutOptions {
  readonly rules: CountryRules
  readonly clientAddress: ClientAddress
  readonly limitRate: LimitRate
  readonly startPayment: StartPayment
}

const outcomes = {
  started: {
    status: 202,
    description: 'Checkout initiated',
    headers: {},
    message: (phone: string) =>
      `A prompt was sent to ${phone}. Enter your PIN on that phone to pay.`,
  },
  replayed: {
    status: 200,
    description: 'Checkout initiated',
    headers: { 'Idempotency-Replayed': 'true' },
    message: () => 'This is a duplicate request: the existing intent is returned.',
  },
  in_progress: {
    status: 200,
    description: 'Checkout already in progress',
    headers: {},
    message: () => 'A payment of this checkout is already in progress: no new prompt was sent.',
  },
} as const satisfies Record<StartOutcome, object>

/** `POST /v1/payments/public/checkouts/{id}/pay`: sends a prompt to a phone. */
export function payCheckout(options: PayCheckoutOptions): Operation {
  const { rules, clientAddress, limitRate, startPayment } = options
  const schema = payCheckoutSchema(rules.mobileRails)
  return async (request, response) => {
    const checkoutId = readCheckoutId(request.params['id'])
    const body = readJsonBody(schema, await readRawBody(request))
    const idempotencyKey = requireIdempotencyKey(request.rawHeaders)
    const phone = canonicalPhone(body.phone, rules)
    const rail = body.rail ?? rules.mobileRails[0]

    await limitRate(response, ratePolicies.pay, addressGroup(clientAddress(request)))

    const { intent, outcome } = await startPayment({ checkoutId, idempotencyKey, rail, phone })
    const { status, description, headers, message } = outcomes[outcome]
    return succeed(status, description, show(intent, message(maskPhone(phone))), headers)
  }
}

function show(intent: Intent, message: string): PaymentView {
  return {
    intent_id: intent.intentId,
    status: intent.status,
    amount: String(intent.amountMinor),
    currency: intent.currency,
    rail: intent.rail,
    message,
  }
}
