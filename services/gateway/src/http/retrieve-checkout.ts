import { readCheckoutId } from '@malipo/interface/fields'
import { succeed } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/door'
import type { MerchantRouteOptions } from './create-checkout'
import { ratePolicies } from './rate-window'
import { showMerchantCheckout } from './show-merchant-checkout'

/** `GET /v1/payments/merchant/checkouts/{id}`. Another account's checkout is as unknown as one that never was. */
export function retrieveCheckout(options: Omit<MerchantRouteOptions, 'rules'>): Operation {
  const { baseUrl, authenticate, limitRate, ledger } = options
  return async (request, response) => {
    const checkoutId = readCheckoutId(request.params['id'])
    const accountId = await authenticate(request)
    await limitRate(response, ratePolicies.merchant, accountId)
    const checkout = await ledger.retrieveCheckout(accountId, checkoutId)
    return succeed(200, 'Checkout', showMerchantCheckout(checkout, baseUrl))
  }
}
