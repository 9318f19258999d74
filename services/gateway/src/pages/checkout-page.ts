import { readCheckoutId } from '@malipo/interface/fields'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { Gateway } from '../operation'
import { ratePolicies } from '../limits/rate-policies'
import { showPayerPage } from './show-payer-page'
import { chooseTexts } from './texts/choose-texts'

/** `GET /c/{id}`: the payer page. */
export function checkoutPage({ limitAddress, loadCheckout, clock }: Gateway): Operation {
  return async (request, response) => {
    const checkoutId = readCheckoutId(request.params['id'])
    await limitAddress(request, response, ratePolicies.page)
    const view = await loadCheckout(checkoutId, chooseTexts(request))
    return showPayerPage(view, { nowMs: clock.now(), status: 200, response })
  }
}
