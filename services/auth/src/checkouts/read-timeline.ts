import { readCheckoutId } from '@malipo/interface/fields'
import { succeed } from '@malipo/runtime/answer'
import type { TimelineView } from '@malipo/interface/hub'
import type { Hub } from '../operation'
import { showAttempt, showCheckout } from './show-checkout'
import type { VisitOperation } from '../sessions/signed-in'

/**
 * `GET /v1/hub/checkouts/{id}`: the timeline of a checkout. Faults: invalid_request, checkout_not_found,
 * ledger_unavailable.
 */
export function readTimeline({ ledgers, paymentsUrls }: Hub): VisitOperation {
  return async (request, { account }) => {
    const { accountId } = account
    const checkoutId = readCheckoutId(request.params['id'])
    const timeline = await ledgers.of(account).readTimeline(accountId, checkoutId)
    const view: TimelineView = {
      checkout: showCheckout(timeline.checkout),
      return_url: timeline.checkout.returnUrl ?? null,
      url: `${paymentsUrls[account.homeCountry]}/c/${checkoutId}`,
      paybill_account_number: timeline.payBillAccountNumber ?? null,
      attempts: timeline.attempts.map(showAttempt),
    }
    return succeed(200, 'Checkout', view)
  }
}
