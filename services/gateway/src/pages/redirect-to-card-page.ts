import { readCheckoutId, readIntentId } from '@malipo/interface/fields'
import type { CardPayment } from '@malipo/ledger-client/cards'
import { hostedPageUrl } from '@malipo/rails/card/hosted-page'
import { redirectTo } from '@malipo/runtime/answer'
import { openSlots } from '@malipo/runtime/call-slots'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { Gateway } from '../operation'
import { ratePolicies } from '../limits/rate-policies'
import { leaveReadPlace } from '../limits/read-places'
import { isInFlight } from './screen'

/** The most requests that wait for a card page at once. Each polls the ledger, so they may use half of its reads. */
const waitsMax = 24

/**
 * `GET /c/{id}/card/{intent}`: redirects to the card page each time, and to the payer page when the card page has
 * closed or is not open yet.
 */
export function redirectToCardPage({
  limitAddress,
  ledger,
  awaitCardPage,
  clock,
  cardBaseUrl,
}: Gateway): Operation {
  const places = openSlots(waitsMax)
  return async (request, response) => {
    const checkoutId = readCheckoutId(request.params['id'])
    const intentId = readIntentId(request.params['intent'])
    await limitAddress(request, response, ratePolicies.page)
    const known = await ledger.readCardPayment(checkoutId, intentId)
    const leave = places.take()
    leaveReadPlace(response)
    const payment =
      leave === undefined ? known : await awaitCardPage(checkoutId, known).finally(leave)
    const isOpen = cardBaseUrl !== undefined && isPayable(payment, clock.now())
    if (!isOpen || payment.opened === undefined) return redirectTo(`/c/${checkoutId}`)
    return redirectTo(hostedPageUrl(cardBaseUrl, payment.opened.sessionId))
  }
}

function isPayable({ intent, expiresAt }: CardPayment, nowMs: number): boolean {
  return isInFlight(intent.status) && nowMs < expiresAt.getTime()
}
