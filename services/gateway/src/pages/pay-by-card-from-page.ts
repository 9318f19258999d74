import { readCheckoutId } from '@malipo/interface/fields'
import { redirectTo } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'
import { cardPath } from '../payer/pay-by-card'
import { keepTryIfShed } from '../limits/keep-try'
import { ratePolicies } from '../limits/rate-policies'
import type { StartCardPayment } from '../payer/start-card-payment'
import type { PayFromPageOptions } from './pay-from-page'
import { readPageForm } from './read-form'

export interface PayByCardFromPageOptions extends Pick<
  PayFromPageOptions,
  'origin' | 'limitAddress'
> {
  readonly startCardPayment: StartCardPayment
}

/** `POST /c/{id}/card`: the card button of the payer page. Redirects the browser to the card page. */
export function payByCardFromPage(options: PayByCardFromPageOptions): Operation {
  const { origin, limitAddress, startCardPayment } = options
  return async (request, response) => {
    const checkoutId = readCheckoutId(request.params['id'])
    const { idempotencyKey } = await readPageForm(request, origin)
    const giveBack = await limitAddress(request, response, ratePolicies.card)
    const starting = startCardPayment({ checkoutId, idempotencyKey, payer: {} })
    const { payment } = await starting.catch(keepTryIfShed(giveBack))
    return redirectTo(cardPath(checkoutId, payment.intent.intentId))
  }
}
