import { isSameSecret } from '@malipo/contracts/same-secret'
import { Fault } from '@malipo/kernel/errors'
import { readCardNotification } from '@malipo/rails/card/inbound'
import type { Operation } from '@malipo/runtime/handler-factory'
import { notableEvents } from '@malipo/runtime/metrics'
import type { StoreCallback } from './store-callback'

/** A notification with the whole order around it is some four thousand bytes long. */
const notificationBytesMax = 65_536

/**
 * `POST /callbacks/card` on the providers' listener: a change of an order. The secret in its header shows that the
 * gateway sent it; the body is not signed, so it only triggers a query. Nothing about the card or its holder is
 * stored.
 */
export function receiveCardNotification(storeCallback: StoreCallback, secret: string): Operation {
  return (request, response) =>
    storeCallback(request, response, async (readBody) => {
      if (!isSameSecret(request.get('x-notification-secret') ?? '', secret)) {
        notableEvents.inc({ name: 'card_notification_forged' })
        throw new Fault('route_not_found')
      }
      const notification = readCardNotification(await readBody(notificationBytesMax))
      if (notification === undefined) throw new Fault('route_not_found')
      const { intentId, body } = notification
      return { subject: { kind: 'intent', intentId, rail: 'card' }, body }
    })
}
