import { readCheckoutId } from '@malipo/interface/fields'
import { succeed } from '@malipo/runtime/answer'
import type { Clock } from '@malipo/runtime/clock'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { CountryLedger } from '../cells/country-ledger'
import type { LimitAddress } from '../limits/limit-rate'
import { ratePolicies } from '../limits/rate-policies'
import { screenOf, type Standing } from './screen'

export interface CheckoutStateOptions {
  readonly limitAddress: LimitAddress
  readonly ledger: CountryLedger
  readonly clock: Clock
}

/**
 * `GET /c/{id}/state`: the screen that the payer page would show now, what is left of the prompt once it is sent, and
 * why an intent failed. The public intent has none of them, so the page's script reads it here; this route is not part
 * of the API.
 */
export function checkoutState(options: CheckoutStateOptions): Operation {
  const { limitAddress, ledger, clock } = options
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
