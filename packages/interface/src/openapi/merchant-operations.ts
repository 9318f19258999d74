import type { CountryRules } from '@malipo/kernel/countries'
import { checkoutIdRule, checkoutIdSchema } from '../fields'
import { createCheckoutSchema } from '../merchant-checkout'
import type { Examples } from './examples'
import { found, type Operation } from './operation'

const collection = '/v1/payments/merchant/checkouts'

/** For a country where a checkout may have cents, although its mobile-money rail takes whole shillings only. */
const centsRule =
  'M-PESA takes whole shillings: for an amount with cents the payer is asked for the next hundred, and `amount_settled` says what was received. '

/** The two operations that a secret key opens. */
export function merchantOperations(rules: CountryRules, examples: Examples): readonly Operation[] {
  return [createCheckout(rules, examples), retrieveCheckout(examples)]
}

function createCheckout(rules: CountryRules, { order, open, completed }: Examples): Operation {
  const { currency, minMinor, maxMinor, wholeMajorOnly } = rules
  const limits = `${String(minMinor)} to ${String(maxMinor)} minor units of ${currency}`
  const answer = { description: 'Checkout created', data: 'MerchantCheckout' } as const
  const replayed =
    'The key was used with this input before: the checkout that it made, as it is now'
  return {
    id: 'createCheckout',
    method: 'post',
    path: collection,
    tag: 'Merchant',
    summary: 'Create a checkout',
    description:
      `Send the payer to \`url\`. The amount is ${limits}${wholeMajorOnly ? ', in hundreds' : ''}. ${wholeMajorOnly ? '' : centsRule}` +
      'The shape of a request is judged before its key.',
    idempotencyKey: 'optional',
    body: { schema: createCheckoutSchema, example: { amount: 150_000, ...order } },
    answers: [
      { ...answer, status: 201, when: 'It is new', example: open },
      { ...answer, status: 200, when: replayed, example: completed, mayBeReplay: true },
    ],
    refusals: [
      'invalid_request',
      'key_refused',
      'keys_unavailable',
      'rate_limited',
      'idempotency_mismatch',
      'amount_outside_limits',
      'checkout_not_found',
      'ledger_unavailable',
    ],
  }
}

function retrieveCheckout({ checkoutId, completed }: Examples): Operation {
  return {
    id: 'retrieveCheckout',
    method: 'get',
    path: `${collection}/{id}`,
    tag: 'Merchant',
    summary: 'Retrieve a checkout',
    description:
      'Deliver once, and only when `status` is `completed`. The checkout of another account is as unknown as none. ' +
      'With `Prefer: wait=N` one request waits for the next change instead of asking again and again; it counts once.',
    mayWait: true,
    place: { name: 'id', schema: checkoutIdSchema, example: checkoutId, rule: checkoutIdRule },
    answers: found('MerchantCheckout', completed, { description: 'Checkout', when: 'It is yours' }),
    refusals: [
      'invalid_request',
      'key_refused',
      'keys_unavailable',
      'rate_limited',
      'checkout_not_found',
      'ledger_unavailable',
    ],
  }
}
