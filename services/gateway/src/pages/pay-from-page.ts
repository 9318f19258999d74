import { readCheckoutId } from '@malipo/interface/fields'
import { likelyRail, namedRail } from '@malipo/interface/mobile-rail'
import { phoneFromPerson } from '@malipo/interface/phone'
import type { CountryRules } from '@malipo/kernel/countries'
import type { Operation } from '@malipo/runtime/door'
import { addressGroup } from '@malipo/runtime/client-address'
import { ratePolicies } from '../http/rate-window'
import type { StartPayment } from '../http/start-payment'
import type { CheckoutPageOptions } from './checkout-page'
import { phoneExample } from './phone-example'
import { readPageForm } from './read-form'
import { seePage } from './see-page'
import { showPayerPage } from './show-payer-page'
import { chooseTexts } from './texts/choose-texts'

export interface PayFromPageOptions extends CheckoutPageOptions {
  readonly rules: CountryRules
  readonly startPayment: StartPayment
  /** Of the page itself. */
  readonly origin: string
}

/**
 * `POST /c/{id}/pay`: the form of the payer page, which works without JavaScript. Whatever comes of it is shown by the
 * page itself (303), so that a reload never sends the form again, and a second press finds the prompt of the first.
 */
export function payFromPage(options: PayFromPageOptions): Operation {
  const { rules, origin, clientAddress, limitRate, loadCheckout, startPayment, clock } = options
  return async (request, response) => {
    const checkoutId = readCheckoutId(request.params['id'])
    const { fields, idempotencyKey } = await readPageForm(request, origin)
    const written = fields.get('phone') ?? ''
    const phone = phoneFromPerson(written, rules)
    const rail = namedRail(fields.get('rail') ?? '', rules)
    await limitRate(response, ratePolicies.pay, addressGroup(clientAddress(request)))
    if (phone === undefined) {
      const view = await loadCheckout(checkoutId, chooseTexts(request))
      const error = view.texts.start.badPhone(phoneExample[rules.country])
      const form = { ...view.form, phone: written, rail, error }
      return showPayerPage({ ...view, form }, { nowMs: clock.now(), status: 400, response })
    }
    const payRail = rail ?? likelyRail(phone, rules)
    await startPayment({ checkoutId, idempotencyKey, rail: payRail, phone })
    return seePage(`/c/${checkoutId}`)
  }
}
