import { readIntentId } from '@malipo/interface/fields'
import { succeed } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { Gateway } from '../operation'
import { ratePolicies } from '../limits/rate-policies'
import { stateOf } from './checkout-state'
import { billOf } from './load-handle'

/** `GET /p/{handle}/{intent}/state`: the screen that the page of this intent would show now, for the page's script. */
export function handlePaymentState({ limitAddress, ledger, clock }: Gateway): Operation {
  return async (request, response) => {
    const intentId = readIntentId(request.params['intent'])
    await limitAddress(request, response, ratePolicies.page)
    const own = await ledger.readHandlePayment(intentId)
    // The page of this intent leads to that of a later one, so the state is that of the later one.
    const { laterIntentId } = own
    const payment =
      laterIntentId === undefined ? own : await ledger.readHandlePayment(laterIntentId)
    return succeed(200, 'State', stateOf(billOf(payment), clock.now()))
  }
}
