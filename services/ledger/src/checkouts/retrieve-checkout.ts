import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { presentToMerchant } from './present-checkout'

/** Reads a checkout for its merchant. A checkout of another account is answered as unknown. */
export function retrieveCheckout(deps: Ledger): Operation<'retrieveCheckout'> {
  return async ({ accountId, checkoutId }) => {
    const checkout = await deps.findCheckout(checkoutId)
    if (checkout?.accountId !== accountId) throw new Fault('checkout_not_found', { checkoutId })
    return { checkout: presentToMerchant(checkout, deps.country.currency) }
  }
}
