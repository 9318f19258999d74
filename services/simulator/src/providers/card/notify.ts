import { callBack } from '../call-back'
import { stepBody } from './bodies'
import { facetsOf } from './open-session'
import type { Gateway, Order, Step } from './state'

/** Sends one notification: the answer of Retrieve Transaction, with the secret that shows it is from the gateway. */
export function notify(gateway: Gateway, order: Order, step: Step): void {
  const { world, settings } = gateway
  const url = order.request.notificationUrl
  if (url === undefined) return
  const withSecret = (secret: string) => ({ headers: { 'x-notification-secret': secret } })
  // These are copies, because order and step change later, and a delayed notification must show how they are now.
  const now = { order: { ...order }, step: { ...step } }
  callBack(world, gateway.deliver, {
    url,
    how: withSecret(settings.notificationSecret),
    forgedHow: withSecret('not-the-secret-that-was-agreed'),
    facets: { ...facetsOf(gateway, order.request), amountMinor: step.amountMinor },
    reference: `${order.request.id}-${step.id}`,
    result: `${step.type} ${step.gatewayCode}`,
    body: (amountMinor) => stepBody(gateway, now.order, { ...now.step, amountMinor }),
    settled: () => undefined,
  })
}
