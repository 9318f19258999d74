import type { Answer } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { Route } from '@malipo/runtime/open-app'
import type { Gateway } from '../operation'
import { createCheckout } from '../merchant/create-checkout'
import { retrieveCheckout } from '../merchant/retrieve-checkout'
import type { RecordRequests } from '../requests/record-requests'
import { payByCard } from './pay-by-card'
import { payCheckout } from './pay-checkout'
import { payHandle } from './pay-handle'
import { readCheckout } from './read-checkout'
import { readIntent } from './read-intent'
import { resolveHandle } from './resolve-handle'

export const merchantPath = '/v1/payments/merchant/checkouts'
const publicPath = '/v1/payments/public'

/** The merchant API. A browser must not hold a secret key, so no page may read its answers. */
export function merchantRoutes(
  gateway: Gateway,
  { recorded }: Pick<RecordRequests, 'recorded'>,
): readonly Route[] {
  const create = recorded(createCheckout(gateway))
  const retrieve = recorded(retrieveCheckout(gateway))
  return [
    { method: 'post', path: merchantPath, operation: create },
    { method: 'get', path: `${merchantPath}/:id`, operation: retrieve },
  ]
}

/** The public routes, which pages of ours call. */
export function publicRoutes(gateway: Gateway): readonly Route[] {
  const routes: readonly Route[] = [
    { method: 'get', path: `${publicPath}/checkouts/:id`, operation: readCheckout(gateway) },
    { method: 'post', path: `${publicPath}/checkouts/:id/pay`, operation: payCheckout(gateway) },
    { method: 'post', path: `${publicPath}/checkouts/:id/card`, operation: payByCard(gateway) },
    { method: 'get', path: `${publicPath}/intents/:id`, operation: readIntent(gateway) },
    { method: 'get', path: `${publicPath}/handles/:handle`, operation: resolveHandle(gateway) },
    { method: 'post', path: `${publicPath}/checkout`, operation: payHandle(gateway) },
  ]
  const open =
    (operation: Operation): Operation =>
    (request, response) => {
      gateway.allowOrigin(request, response)
      return operation(request, response)
    }
  return routes.flatMap(({ method, path, operation }) => [
    { method, path, operation: open(operation) },
    { method: 'options', path, operation: open(answerPreflight) },
  ])
}

const preflight: Answer = { status: 204, headers: {}, body: '' }
const answerPreflight: Operation = () => Promise.resolve(preflight)
