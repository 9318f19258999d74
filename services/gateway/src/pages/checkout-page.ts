import { readCheckoutId } from '@malipo/interface/fields'
import type { Clock } from '@malipo/runtime/clock'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { LimitAddress } from '../limits/limit-rate'
import { ratePolicies } from '../limits/rate-policies'
import type { LoadCheckout } from './load-checkout'
import { showPayerPage } from './show-payer-page'
import { chooseTexts } from './texts/choose-texts'

export interface CheckoutPageOptions {
  readonly limitAddress: LimitAddress
  readonly loadCheckout: LoadCheckout
  readonly clock: Clock
}

/** `GET /c/{id}`: the payer page. */
export function checkoutPage(options: CheckoutPageOptions): Operation {
  const { limitAddress, loadCheckout, clock } = options
  return async (request, response) => {
    const checkoutId = readCheckoutId(request.params['id'])
    await limitAddress(request, response, ratePolicies.page)
    const view = await loadCheckout(checkoutId, chooseTexts(request))
    return showPayerPage(view, { nowMs: clock.now(), status: 200, response })
  }
}
