import { readIntentId } from '@malipo/interface/fields'
import { readHandle } from '@malipo/interface/profile'
import { redirectTo } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { Gateway } from '../operation'
import { ratePolicies } from '../limits/rate-policies'
import { showPayerPage } from './show-payer-page'
import { chooseTexts } from './texts/choose-texts'

/**
 * `GET /p/{handle}/{intent}`: the status of one payment to a handle. The form redirects here. Where it ended without
 * money and a later one of its phone is paid or may be, it leads there.
 */
export function handlePaymentPage({ limitAddress, loadHandle, clock }: Gateway): Operation {
  return async (request, response) => {
    const handle = readHandle(String(request.params['handle']))
    const intentId = readIntentId(request.params['intent'])
    await limitAddress(request, response, ratePolicies.page)
    const view = await loadHandle.payment(handle, intentId, chooseTexts(request))
    // The page of a failed attempt would offer its form to a payer who has paid by another since, or may have.
    if (view.laterPath !== undefined) return redirectTo(view.laterPath)
    return showPayerPage(view, { nowMs: clock.now(), status: 200, response })
  }
}
