import { readCheckoutId } from '@malipo/interface/fields'
import { succeed } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { Gateway } from '../operation'
import { ratePolicies } from '../limits/rate-policies'
import { screenOf, type Standing } from './screen'

/**
 * `GET /c/{id}/state`: the screen that the payer page would show now, what is left of the prompt once it is sent, and
 * why an intent failed. The public intent has none of them, so the page's script reads it here; this route is not part
 * of the API.
 */
export function checkoutState({ limitAddress, ledger, clock }: Gateway): Operation {
  return async (request, response) => {
    const checkoutId = readCheckoutId(request.params['id'])
    await limitAddress(request, response, ratePolicies.page)
    const checkout = await ledger.readCheckout(checkoutId)
    return succeed(200, 'State', stateOf(checkout, clock.now()))
  }
}

export function stateOf(bill: Standing, nowMs: number) {
  const screen = screenOf(bill, nowMs)
  const { status, attempt } = bill
  return {
    status,
    screen: screen.name,
    intent_id: attempt?.intentId ?? null,
    cause: attempt?.cause ?? null,
    no_money_taken: screen.name === 'failed' && screen.noMoneyTaken,
    ...(screen.name === 'waiting' && { prompt_left_ms: screen.promptLeftMs }),
  }
}
