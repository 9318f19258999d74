import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { CountryRules } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { FindCheckout } from './store/checkouts'
import { presentToMerchant } from './present-checkout'

export interface RetrieveCheckoutDeps {
  readonly findCheckout: FindCheckout
  readonly country: CountryRules
}

/** Reads a checkout for its merchant. A checkout of another account is answered as unknown. */
export function retrieveCheckout(
  deps: RetrieveCheckoutDeps,
): Operations<LedgerServiceServer>['retrieveCheckout'] {
  return async ({ accountId, checkoutId }) => {
    const checkout = await deps.findCheckout(checkoutId)
    if (checkout?.accountId !== accountId) throw new Fault('checkout_not_found', { checkoutId })
    return { checkout: presentToMerchant(checkout, deps.country.currency) }
  }
}
