import { sharedCallbacks } from '@malipo/rails/shared-callbacks'
import type { Route } from '@malipo/runtime/open-app'
import { type StoreCallback, type StoreCallbackOptions, openStoreCallback } from './store-callback'
import { receiveCardNotification } from './receive-card-notification'
import { confirmPayBill, validatePayBill, type ValidateOptions } from './receive-pay-bill'
import { receiveProviderMessage } from './receive-provider-message'
import { receiveSharedCallback } from './receive-shared-callback'

/** The secrets that providers send; without a secret, its routes are off. */
export interface CallbackSecrets {
  readonly c2bPathSecret: string | undefined
  readonly cardNotificationSecret: string | undefined
}

/** The providers' own listener. MTN may use PUT where others use POST. */
export function callbackRoutes(
  options: StoreCallbackOptions & ValidateOptions,
  secrets: CallbackSecrets,
): readonly Route[] {
  const routes = routesOf(options, secrets)
  // Callbacks of a further cell come to these paths, because a payment from the menu has no id that names its cell.
  return [...routes, ...routes.map((route) => ({ ...route, path: `/cells/:cell${route.path}` }))]
}

function routesOf(
  options: StoreCallbackOptions & ValidateOptions,
  secrets: CallbackSecrets,
): readonly Route[] {
  const { c2bPathSecret, cardNotificationSecret } = secrets
  const storeCallback = openStoreCallback(options)
  const receive = receiveProviderMessage(storeCallback)
  const shared = options.rules.mobileRails.flatMap((rail): Route[] => {
    const readSubject = sharedCallbacks[rail]
    if (readSubject === undefined) return []
    const operation = receiveSharedCallback(storeCallback, rail, readSubject)
    return [{ method: 'post', path: `/callbacks/${rail}`, operation }]
  })
  return [
    ...shared,
    ...(cardNotificationSecret === undefined
      ? []
      : [cardRoute(storeCallback, cardNotificationSecret)]),
    ...(c2bPathSecret === undefined ? [] : payBillRoutes(storeCallback, options, c2bPathSecret)),
    { method: 'post', path: '/callbacks/:token', operation: receive },
    { method: 'put', path: '/callbacks/:token', operation: receive },
  ]
}

function cardRoute(storeCallback: StoreCallback, secret: string): Route {
  const operation = receiveCardNotification(storeCallback, secret)
  return { method: 'post', path: '/callbacks/card', operation }
}

/** The segment of the URL registered with M-Pesa; `c2b`, because M-Pesa rejects URLs that contain its name. */
function payBillRoutes(
  storeCallback: StoreCallback,
  options: ValidateOptions,
  secret: string,
): readonly Route[] {
  const path = '/callbacks/c2b/:secret'
  return [
    { method: 'post', path: `${path}/validation`, operation: validatePayBill(options, secret) },
    {
      method: 'post',
      path: `${path}/confirmation`,
      operation: confirmPayBill(storeCallback, secret),
    },
  ]
}
