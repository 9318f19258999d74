import type { CountryRules } from '@malipo/kernel/countries'
import { payByCardSchema } from '../card-payment'
import { checkoutIdRule, checkoutIdSchema, intentIdRule, intentIdSchema } from '../fields'
import { handleRule, handleSchema, payHandleSchema } from '../handle'
import { payCheckoutSchema } from '../payment'
import type { Examples } from './examples'
import { type Answer, found, type Operation } from './operation'

const base = '/v1/payments/public'

export function payerOperations(rules: CountryRules, examples: Examples): readonly Operation[] {
  return [
    readCheckout(examples),
    payCheckout(rules, examples),
    payByCard(examples),
    readIntent(examples),
    resolveHandle(examples),
    payHandle(rules, examples),
  ]
}

function readCheckout({ checkoutId, payerCheckout }: Examples): Operation {
  return {
    id: 'readCheckout',
    method: 'get',
    path: `${base}/checkouts/{id}`,
    tag: 'Payer',
    summary: 'Read a checkout',
    description: 'What the page of the payer shows. 120 a minute of an address.',
    place: { name: 'id', schema: checkoutIdSchema, example: checkoutId, rule: checkoutIdRule },
    answers: found('PayerCheckout', payerCheckout, {
      description: 'Checkout',
      when: 'There is one',
    }),
    refusals: ['invalid_request', 'rate_limited', 'checkout_not_found', 'ledger_unavailable'],
  }
}

function payCheckout(rules: CountryRules, { checkoutId, phone, started }: Examples): Operation {
  return {
    id: 'payCheckout',
    method: 'post',
    path: `${base}/checkouts/{id}/pay`,
    tag: 'Payer',
    summary: 'Pay a checkout by mobile money',
    description:
      'Sends a prompt to a phone; then read the intent. 5 an hour of a phone, 20 of a checkout, 30 of an address.',
    place: { name: 'id', schema: checkoutIdSchema, example: checkoutId, rule: checkoutIdRule },
    idempotencyKey: 'required',
    body: { schema: payCheckoutSchema(rules.mobileRails), example: { phone } },
    answers: [
      ...promptAnswers(started),
      {
        status: 200,
        description: 'Checkout already in progress',
        when: 'An attempt is in flight: that one, and no new prompt',
        data: 'StartedPayment',
        example: {
          ...started,
          status: 'pending',
          message: 'A payment of this checkout is already in progress: no new prompt was sent.',
        },
      },
    ],
    refusals: [
      'invalid_request',
      'rate_limited',
      'checkout_not_found',
      'idempotency_mismatch',
      'checkout_paid',
      'checkout_expired',
      'ledger_unavailable',
    ],
  }
}

function payByCard({ checkoutId, cardPayment }: Examples): Operation {
  const answer = { description: 'Card payment initiated', data: 'CardPayment' } as const
  return {
    id: 'payByCard',
    method: 'post',
    path: `${base}/checkouts/{id}/card`,
    tag: 'Payer',
    summary: 'Pay a checkout by card',
    description:
      'Where `card` of the checkout is not null. Send the payer to `redirect_url`; then read the intent. 10 an hour of a checkout, 20 of an address.',
    place: { name: 'id', schema: checkoutIdSchema, example: checkoutId, rule: checkoutIdRule },
    idempotencyKey: 'required',
    body: {
      schema: payByCardSchema,
      isOptional: true,
      example: { payer_name: 'Wanjiru Kamau' },
    },
    answers: [
      { ...answer, status: 202, when: 'It is new', example: cardPayment },
      { ...answer, status: 200, when: replayed, example: cardPayment, mayBeReplay: true },
    ],
    refusals: [
      'invalid_request',
      'origin_not_allowed',
      'rate_limited',
      'checkout_not_found',
      'idempotency_mismatch',
      'checkout_paid',
      'card_off',
      'payment_in_progress',
      'checkout_expired',
      'ledger_unavailable',
    ],
  }
}

function readIntent({ intentId, intent }: Examples): Operation {
  return {
    id: 'readIntent',
    method: 'get',
    path: `${base}/intents/{id}`,
    tag: 'Payer',
    summary: 'Read an intent',
    description: 'How an attempt to pay stands. Ask every 2.5 seconds, for two minutes.',
    place: { name: 'id', schema: intentIdSchema, example: intentId, rule: intentIdRule },
    answers: found('Intent', intent, { description: 'Intent retrieved', when: 'There is one' }),
    refusals: ['invalid_request', 'intent_not_found', 'ledger_unavailable'],
  }
}

function resolveHandle({ handle }: Examples): Operation {
  return {
    id: 'resolveHandle',
    method: 'get',
    path: `${base}/handles/{handle}`,
    tag: 'Payer',
    summary: 'Resolve a handle or link',
    description: 'The payee of a username or of a link, and how this host collects.',
    place: { name: 'handle', schema: handleSchema, example: handle.name, rule: handleRule },
    answers: found('ResolvedHandle', handle, {
      description: 'Handle resolved',
      when: 'The handle exists',
    }),
    refusals: [
      'invalid_request',
      'rate_limited',
      'handle_not_found',
      'unavailable',
      'ledger_unavailable',
    ],
  }
}

function payHandle(rules: CountryRules, { handle, phone, started }: Examples): Operation {
  return {
    id: 'payHandle',
    method: 'post',
    path: `${base}/checkout`,
    tag: 'Payer',
    summary: 'Pay a handle or link',
    description:
      'Sends a prompt to a phone; then read the intent. 5 an hour of a phone, 30 of an address, with those of checkouts.',
    idempotencyKey: 'required',
    body: {
      schema: payHandleSchema(rules.mobileRails),
      example: { handle: handle.name, amount: started.amount, phone },
    },
    answers: promptAnswers(started),
    refusals: [
      'invalid_request',
      'rate_limited',
      'handle_not_found',
      'checkout_not_found',
      'idempotency_mismatch',
      'amount_outside_limits',
      'unavailable',
      'ledger_unavailable',
    ],
  }
}

const replayed = 'The key was used with this input before: the attempt that it made, as it is now'

function promptAnswers(started: Examples['started']): readonly Answer[] {
  const answer = { description: 'Checkout initiated', data: 'StartedPayment' } as const
  const message = 'This is a duplicate request: the existing intent is returned.'
  return [
    { ...answer, status: 202, when: 'A prompt was sent', example: started },
    {
      ...answer,
      status: 200,
      when: replayed,
      example: { ...started, status: 'pending', message },
      mayBeReplay: true,
    },
  ]
}
