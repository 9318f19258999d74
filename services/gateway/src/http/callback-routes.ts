import { sharedCallbacks } from '@malipo/rails/shared-callbacks'
import type { Route } from '@malipo/runtime/open-app'
import { type KeepCallback, type KeepCallbackOptions, openKeepCallback } from './keep-callback'
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
  options: KeepCallbackOptions & ValidateOptions,
  secrets: CallbackSecrets,
): readonly Route[] {
  const { c2bPathSecret, cardNotificationSecret } = secrets
  const keep = openKeepCallback(options)
  const receive = receiveProviderMessage(keep)
  const shared = options.rules.mobileRails.flatMap((rail): Route[] => {
    const readSubject = sharedCallbacks[rail]
    if (readSubject === undefined) return []
    const operation = receiveSharedCallback(keep, rail, readSubject)
    return [{ method: 'post', path: `/callbacks/${rail}`, operation }]
  })
  return [
    ...shared,
    ...(cardNotificationSecret === undefined ? [] : [cardRoute(keep, cardNotificationSecret)]),
    ...(c2bPathSecret === undefined ? [] : payBillRoutes(keep, options, c2bPathSecret)),
    { method: 'post', path: '/callbacks/:token', operation: receive },
    { method: 'put', path: '/callbacks/:token', operation: receive },
  ]
}

function cardRoute(keep: KeepCallback, secret: string): Route {
  const operation = receiveCardNotification(keep, secret)
  return { method: 'post', path: '/callbacks/card', operation }
}

/** The segment of the URL registered with M-Pesa; `c2b`, because M-Pesa rejects URLs that contain its name. */
function payBillRoutes(
  keep: KeepCallback,
  options: ValidateOptions,
  secret: string,
): readonly Route[] {
  const path = '/callbacks/c2b/:secret'
  return [
    { method: 'post', path: `${path}/validation`, operation: validatePayBill(options, secret) },
    { method: 'post', path: `${path}/confirmation`, operation: confirmPayBill(keep, secret) },
  ]
}
