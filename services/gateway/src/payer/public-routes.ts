import type { Answer } from '@malipo/runtime/answer'
import type { Operation } from '@malipo/runtime/handler-factory'
import type { Route } from '@malipo/runtime/open-app'
import type { AllowOrigin } from './allow-origin'
import { createCheckout, type MerchantRouteOptions } from '../merchant/create-checkout'
import { payByCard, type PayByCardOptions } from './pay-by-card'
import { payCheckout, type PayCheckoutOptions } from './pay-checkout'
import { payHandle, type PayHandleOptions } from './pay-handle'
import { readCheckout, type ReadCheckoutOptions } from './read-checkout'
import { readIntent } from './read-intent'
import type { RecordRequests } from '../requests/record-requests'
import { resolveHandle, type ResolveHandleOptions } from './resolve-handle'
import { retrieveCheckout, type RetrieveCheckoutOptions } from '../merchant/retrieve-checkout'

export const merchantPath = '/v1/payments/merchant/checkouts'
const publicPath = '/v1/payments/public'

/** The merchant API. A browser must not hold a secret key, so no page may read its answers. */
export function merchantRoutes(
  options: Omit<MerchantRouteOptions & RetrieveCheckoutOptions, 'authenticate'> & RecordRequests,
): readonly Route[] {
  const { recorded } = options
  const create = recorded(createCheckout(options))
  const retrieve = recorded(retrieveCheckout(options))
  return [
    { method: 'post', path: merchantPath, operation: create },
    { method: 'get', path: `${merchantPath}/:id`, operation: retrieve },
  ]
}

/** The public routes, which pages of ours call. */
export function publicRoutes(
  options: PayCheckoutOptions &
    ReadCheckoutOptions &
    PayHandleOptions &
    PayByCardOptions &
    ResolveHandleOptions & { readonly allowOrigin: AllowOrigin },
): readonly Route[] {
  const routes: readonly Route[] = [
    { method: 'get', path: `${publicPath}/checkouts/:id`, operation: readCheckout(options) },
    { method: 'post', path: `${publicPath}/checkouts/:id/pay`, operation: payCheckout(options) },
    { method: 'post', path: `${publicPath}/checkouts/:id/card`, operation: payByCard(options) },
    { method: 'get', path: `${publicPath}/intents/:id`, operation: readIntent(options) },
    { method: 'get', path: `${publicPath}/handles/:handle`, operation: resolveHandle(options) },
    { method: 'post', path: `${publicPath}/checkout`, operation: payHandle(options) },
  ]
  const open =
    (operation: Operation): Operation =>
    (request, response) => {
      options.allowOrigin(request, response)
      return operation(request, response)
    }
  return routes.flatMap(({ method, path, operation }) => [
    { method, path, operation: open(operation) },
    { method: 'options', path, operation: open(answerPreflight) },
  ])
}

const preflight: Answer = { status: 204, headers: {}, body: '' }
const answerPreflight: Operation = () => Promise.resolve(preflight)
