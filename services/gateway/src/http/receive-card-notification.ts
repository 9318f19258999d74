import { isSameSecret } from '@malipo/contracts/same-secret'
import { Fault } from '@malipo/kernel/errors'
import { readCardNotification } from '@malipo/rails/card/notification'
import type { Operation } from '@malipo/runtime/handler-factory'
import { notableEvents } from '@malipo/runtime/metrics'
import type { KeepCallback } from './keep-callback'

/** One step of an order with all that surrounds it is some four thousand bytes long. */
const notificationBytesMax = 65_536

/**
 * `POST /callbacks/card` on the providers' own listener: a step of an order. The secret in its header shows that it
 * comes from the gateway; the body is not signed, so it only makes us ask the gateway. Nothing about the card or its
 * holder is kept.
 */
export function receiveCardNotification(keep: KeepCallback, secret: string): Operation {
  return (request, response) =>
    keep(request, response, async (readBody) => {
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
