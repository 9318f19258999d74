import type { Door } from '@malipo/runtime/door'
import type { Route } from '@malipo/runtime/open-app'
import { checkoutPage } from './checkout-page'
import { handlePage } from './handle-page'
import { handlePaymentPage, type HandlePaymentPageOptions } from './handle-payment-page'
import { handlePaymentState } from './handle-payment-state'
import { checkoutQr, handleQr } from './page-qr'
import { payHandleFromPage, type PayHandleFromPageOptions } from './pay-handle-from-page'
import { docsPage, type DocsPageOptions } from './docs-page'
import { checkoutState, type CheckoutStateOptions } from './checkout-state'
import { payFromPage, type PayFromPageOptions } from './pay-from-page'

/** The payer pages, and the page for those who send payers there. */
export function pageRoutes(
  options: PayFromPageOptions &
    CheckoutStateOptions &
    HandlePaymentPageOptions &
    PayHandleFromPageOptions &
    DocsPageOptions & { readonly pageDoor: Door },
): readonly Route[] {
  const { pageDoor: door } = options
  return [
    { method: 'get', path: '/c/:id', operation: checkoutPage(options), door },
    { method: 'post', path: '/c/:id/pay', operation: payFromPage(options), door },
    { method: 'get', path: '/c/:id/state', operation: checkoutState(options) },
    { method: 'get', path: '/c/:id/qr.svg', operation: checkoutQr(options) },
    { method: 'get', path: '/p/:handle', operation: handlePage(options), door },
    { method: 'post', path: '/p/:handle/pay', operation: payHandleFromPage(options), door },
    { method: 'get', path: '/p/:handle/qr.svg', operation: handleQr(options) },
    { method: 'get', path: '/p/:handle/:intent', operation: handlePaymentPage(options), door },
    { method: 'get', path: '/p/:handle/:intent/state', operation: handlePaymentState(options) },
    { method: 'get', path: '/docs', operation: docsPage(options), door },
  ]
}
