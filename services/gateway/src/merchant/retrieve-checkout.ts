import { readCheckoutId } from '@malipo/interface/fields'
import type { MerchantCheckout } from '@malipo/ledger-client/checkouts'
import { succeed } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { Gateway } from '../operation'
import { ratePolicies } from '../limits/rate-policies'
import { readWaitSeconds } from './read-prefer'
import { showMerchantCheckout } from './merchant-checkout'

/**
 * `GET /v1/payments/merchant/checkouts/{id}`. Another account's checkout gets the same 404 as an unknown one. With
 * `Prefer: wait=N` the answer comes when its status or that of its payment changes, or after N seconds.
 */
export function retrieveCheckout({
  baseUrl,
  authenticate,
  limitRate,
  ledger,
  awaitChange,
}: Gateway): Operation {
  return async (request, response) => {
    const checkoutId = readCheckoutId(request.params['id'])
    const { accountId, cell } = await authenticate(request)
    await limitRate(response, ratePolicies.merchant, accountId)
    const read = () => ledger.of(cell).retrieveCheckout(accountId, checkoutId)
    const show = (checkout: MerchantCheckout, headers = {}) =>
      succeed(200, 'Checkout', showMerchantCheckout(checkout, baseUrl), headers)
    const seconds = readWaitSeconds(request.get('prefer'))
    if (seconds === undefined) return show(await read())
    const waited = await awaitChange({ request, response, checkoutId, seconds, read })
    const applied = { 'Preference-Applied': `wait=${String(seconds)}` }
    return show(waited.checkout, waited.isApplied ? applied : {})
  }
}
