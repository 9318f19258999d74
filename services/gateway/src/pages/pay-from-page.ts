import { readCheckoutId } from '@malipo/interface/fields'
import { likelyRail } from '@malipo/interface/mobile-rail'
import { redirectTo } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { Gateway } from '../operation'
import { keepTryIfShed } from '../limits/keep-try'
import { ratePolicies } from '../limits/rate-policies'
import { readPageForm } from './read-form'
import { phoneError, readPhone } from './read-phone'
import { refuseFields, sendsFromScript } from './refuse-fields'
import { showPayerPage } from './show-payer-page'
import { chooseTexts } from './texts/choose-texts'

/**
 * `POST /c/{id}/pay`: the form of the payer page, which works without JavaScript. The result is always a redirect
 * (303) to the page, so that a reload never sends the form again, and a second press finds the first prompt.
 */
export function payFromPage({
  rules,
  origin,
  limitAddress,
  loadCheckout,
  startPayment,
  clock,
}: Gateway): Operation {
  return async (request, response) => {
    const checkoutId = readCheckoutId(request.params['id'])
    const { fields, idempotencyKey } = await readPageForm(request, origin)
    const { typed, phone, problem, rail } = readPhone(fields, rules)
    if (phone === undefined) {
      // A typo costs no try: many payers share one address. It counts as a page view.
      await limitAddress(request, response, ratePolicies.page)
      const texts = chooseTexts(request)
      const error = phoneError(problem, texts, rules)
      if (sendsFromScript(request)) return refuseFields([{ path: 'phone', message: error }])
      const view = await loadCheckout(checkoutId, texts)
      const asksMoved = problem?.kind === 'other_network'
      const form = { ...view.form, phone: typed, rail, error, asksMoved }
      return showPayerPage({ ...view, form }, { nowMs: clock.now(), status: 400, response })
    }
    const giveBack = await limitAddress(request, response, ratePolicies.pay)
    const payment = { checkoutId, idempotencyKey, rail: rail ?? likelyRail(phone, rules), phone }
    await startPayment(payment).catch(keepTryIfShed(giveBack))
    return redirectTo(`/c/${checkoutId}`)
  }
}
