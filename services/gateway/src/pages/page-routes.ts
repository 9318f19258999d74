import type { DocumentOptions } from '@malipo/interface/openapi/document'
import type { HandlerFactory, Operation } from '@malipo/runtime/handler-factory'
import type { Route } from '@malipo/runtime/open-app'
import type { Gateway } from '../operation'
import { checkoutPage } from './checkout-page'
import { returnToCheckout, returnToHandle } from './return-to-page'
import { handlePage } from './handle-page'
import { handlePaymentPage } from './handle-payment-page'
import { handlePaymentState } from './handle-payment-state'
import { checkoutQr, handleQr } from './page-qr'
import { payHandleFromPage } from './pay-handle-from-page'
import { docsRoutes } from '../docs/docs-routes'
import { checkoutState } from './checkout-state'
import { paymentQr } from './payment-qr'
import { redirectToCardPage } from './redirect-to-card-page'
import { payByCardFromPage } from './pay-by-card-from-page'
import { payFromPage } from './pay-from-page'
import { returnFromCardPage } from './return-from-card-page'

/** The QR codes that a provider draws. */
export function qrRoutes(gateway: Gateway): readonly Route[] {
  return [{ method: 'get', path: '/c/:id/pay.png', operation: paymentQr(gateway) }]
}

interface PageRouteOptions extends Pick<DocumentOptions, 'authUrl'> {
  readonly toPageHandler: HandlerFactory
  readonly intentChanges: Operation
}

/** The routes of the payer pages, and of the documentation for merchants. */
export function pageRoutes(
  gateway: Gateway,
  { toPageHandler: toHandler, intentChanges, authUrl }: PageRouteOptions,
): readonly Route[] {
  const back = returnFromCardPage(gateway)
  return [
    { method: 'get', path: '/c/:id', operation: checkoutPage(gateway), toHandler },
    { method: 'get', path: '/c/:id/pay', operation: returnToCheckout, toHandler },
    { method: 'get', path: '/c/:id/card', operation: returnToCheckout, toHandler },
    { method: 'get', path: '/p/:handle/pay', operation: returnToHandle, toHandler },
    { method: 'post', path: '/c/:id/pay', operation: payFromPage(gateway), toHandler },
    { method: 'post', path: '/c/:id/card', operation: payByCardFromPage(gateway), toHandler },
    {
      method: 'get',
      path: '/c/:id/card/:intent',
      operation: redirectToCardPage(gateway),
      toHandler,
    },
    { method: 'get', path: '/c/:id/card/:intent/return', operation: back, toHandler },
    { method: 'get', path: '/c/:id/state', operation: checkoutState(gateway) },
    { method: 'get', path: '/c/:id/qr.svg', operation: checkoutQr(gateway) },
    { method: 'get', path: '/p/:handle', operation: handlePage(gateway), toHandler },
    { method: 'post', path: '/p/:handle/pay', operation: payHandleFromPage(gateway), toHandler },
    { method: 'get', path: '/p/:handle/qr.svg', operation: handleQr(gateway) },
    {
      method: 'get',
      path: '/p/:handle/:intent',
      operation: handlePaymentPage(gateway),
      toHandler,
    },
    { method: 'get', path: '/p/:handle/:intent/state', operation: handlePaymentState(gateway) },
    { method: 'get', path: '/intents/:id/changes', operation: intentChanges },
    ...docsRoutes({ ...gateway, authUrl, toPageHandler: toHandler }),
  ]
}
