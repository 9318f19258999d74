import { readIntentId } from '@malipo/interface/fields'
import { readHandle } from '@malipo/interface/profile'
import { redirectTo } from '@malipo/runtime/answer'
import type { Clock } from '@malipo/runtime/clock'
import type { Operation } from '@malipo/runtime/handler-factory'
import { ratePolicies } from '../limits/rate-policies'
import type { HandlePageOptions } from './handle-page'
import { showPayerPage } from './show-payer-page'
import { chooseTexts } from './texts/choose-texts'

export interface HandlePaymentPageOptions extends HandlePageOptions {
  readonly clock: Clock
}

/**
 * `GET /p/{handle}/{intent}`: the status of one payment to a handle. The form redirects here. Where it ended without
 * money and a later one of its phone is paid or may be, it leads there.
 */
export function handlePaymentPage(options: HandlePaymentPageOptions): Operation {
  const { limitAddress, loadHandle, clock } = options
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
