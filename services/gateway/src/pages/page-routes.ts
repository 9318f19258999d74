import type { DocumentOptions } from '@malipo/interface/openapi/document'
import type { HandlerFactory, Operation } from '@malipo/runtime/handler-factory'
import type { Route } from '@malipo/runtime/open-app'
import { checkoutPage } from './checkout-page'
import { returnToCheckout, returnToHandle } from './return-to-page'
import { handlePage } from './handle-page'
import { handlePaymentPage, type HandlePaymentPageOptions } from './handle-payment-page'
import { handlePaymentState } from './handle-payment-state'
import { checkoutQr, handleQr } from './page-qr'
import { payHandleFromPage, type PayHandleFromPageOptions } from './pay-handle-from-page'
import { docsRoutes } from '../docs/docs-routes'
import { checkoutState, type CheckoutStateOptions } from './checkout-state'
import { paymentQr, type PaymentQrOptions } from './payment-qr'
import { redirectToCardPage, type RedirectToCardPageOptions } from './redirect-to-card-page'
import { payByCardFromPage, type PayByCardFromPageOptions } from './pay-by-card-from-page'
import { payFromPage, type PayFromPageOptions } from './pay-from-page'
import { returnFromCardPage, type ReturnFromCardPageOptions } from './return-from-card-page'

/** The QR codes that a provider draws. */
export function qrRoutes(options: PaymentQrOptions): readonly Route[] {
  return [{ method: 'get', path: '/c/:id/pay.png', operation: paymentQr(options) }]
}

/** The routes of the payer pages, and of the documentation for merchants. */
export function pageRoutes(
  options: PayFromPageOptions &
    CheckoutStateOptions &
    HandlePaymentPageOptions &
    PayHandleFromPageOptions &
    PayByCardFromPageOptions &
    RedirectToCardPageOptions &
    ReturnFromCardPageOptions &
    DocumentOptions & { readonly toPageHandler: HandlerFactory; readonly intentChanges: Operation },
): readonly Route[] {
  const { toPageHandler: toHandler } = options
  const back = returnFromCardPage(options)
  return [
    { method: 'get', path: '/c/:id', operation: checkoutPage(options), toHandler },
    { method: 'get', path: '/c/:id/pay', operation: returnToCheckout, toHandler },
    { method: 'get', path: '/c/:id/card', operation: returnToCheckout, toHandler },
    { method: 'get', path: '/p/:handle/pay', operation: returnToHandle, toHandler },
    { method: 'post', path: '/c/:id/pay', operation: payFromPage(options), toHandler },
    { method: 'post', path: '/c/:id/card', operation: payByCardFromPage(options), toHandler },
    {
      method: 'get',
      path: '/c/:id/card/:intent',
      operation: redirectToCardPage(options),
      toHandler,
    },
    { method: 'get', path: '/c/:id/card/:intent/return', operation: back, toHandler },
    { method: 'get', path: '/c/:id/state', operation: checkoutState(options) },
    { method: 'get', path: '/c/:id/qr.svg', operation: checkoutQr(options) },
    { method: 'get', path: '/p/:handle', operation: handlePage(options), toHandler },
    { method: 'post', path: '/p/:handle/pay', operation: payHandleFromPage(options), toHandler },
    { method: 'get', path: '/p/:handle/qr.svg', operation: handleQr(options) },
    {
      method: 'get',
      path: '/p/:handle/:intent',
      operation: handlePaymentPage(options),
      toHandler,
    },
    { method: 'get', path: '/p/:handle/:intent/state', operation: handlePaymentState(options) },
    { method: 'get', path: '/intents/:id/changes', operation: options.intentChanges },
    ...docsRoutes(options),
  ]
}
