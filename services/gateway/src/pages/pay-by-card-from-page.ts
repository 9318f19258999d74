import { readCheckoutId } from '@malipo/interface/fields'
import { redirectTo } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { Gateway } from '../operation'
import { cardPath } from '../payer/pay-by-card'
import { keepTryIfShed } from '../limits/keep-try'
import { ratePolicies } from '../limits/rate-policies'
import { readPageForm } from './read-form'

/** `POST /c/{id}/card`: the card button of the payer page. Redirects the browser to the card page. */
export function payByCardFromPage({ origin, limitAddress, startCardPayment }: Gateway): Operation {
  return async (request, response) => {
    const checkoutId = readCheckoutId(request.params['id'])
    const { idempotencyKey } = await readPageForm(request, origin)
    const giveBack = await limitAddress(request, response, ratePolicies.card)
    const starting = startCardPayment({ checkoutId, idempotencyKey, payer: {} })
    const { payment } = await starting.catch(keepTryIfShed(giveBack))
    return redirectTo(cardPath(checkoutId, payment.intent.intentId))
  }
}
