import { readCheckoutId } from '@malipo/interface/fields'
import { addressGroup } from '@malipo/runtime/client-address'
import type { Operation } from '@malipo/runtime/handler-factory'
import { cardPath } from '../payer/pay-by-card'
import { ratePolicies } from '../limits/rate-policies'
import type { StartCardPayment } from '../payer/start-card-payment'
import type { PayFromPageOptions } from './pay-from-page'
import { readPageForm } from './read-form'
import { redirectTo } from './redirect-to'

export interface PayByCardFromPageOptions extends Pick<
  PayFromPageOptions,
  'origin' | 'clientAddress' | 'limitRate'
> {
  readonly startCardPayment: StartCardPayment
}

/** `POST /c/{id}/card`: the card button of the payer page. Redirects the browser to the card page. */
export function payByCardFromPage(options: PayByCardFromPageOptions): Operation {
  const { origin, clientAddress, limitRate, startCardPayment } = options
  return async (request, response) => {
    const checkoutId = readCheckoutId(request.params['id'])
    const { idempotencyKey } = await readPageForm(request, origin)
    await limitRate(response, ratePolicies.card, addressGroup(clientAddress(request)))
    const { payment } = await startCardPayment({ checkoutId, idempotencyKey, payer: {} })
    return redirectTo(cardPath(checkoutId, payment.intent.intentId))
  }
}
