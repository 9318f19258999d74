import { readIntentId } from '@malipo/interface/fields'
import { readHandle } from '@malipo/interface/profile'
import type { Clock } from '@malipo/runtime/clock'
import { addressGroup } from '@malipo/runtime/client-address'
import type { Operation } from '@malipo/runtime/handler-factory'
import { ratePolicies } from '../limits/rate-policies'
import type { HandlePageOptions } from './handle-page'
import { showPayerPage } from './show-payer-page'
import { chooseTexts } from './texts/choose-texts'

export interface HandlePaymentPageOptions extends HandlePageOptions {
  readonly clock: Clock
}

/** `GET /p/{handle}/{intent}`: the status of one payment to a handle. The form redirects here. */
export function handlePaymentPage(options: HandlePaymentPageOptions): Operation {
  const { clientAddress, limitRate, loadHandle, clock } = options
  return async (request, response) => {
    const handle = readHandle(String(request.params['handle']))
    const intentId = readIntentId(request.params['intent'])
    await limitRate(response, ratePolicies.page, addressGroup(clientAddress(request)))
    const view = await loadHandle.payment(handle, intentId, chooseTexts(request))
    return showPayerPage(view, { nowMs: clock.now(), status: 200, response })
  }
}
