import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import type { CountryRules } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { FindCheckout } from './store/checkouts'
import { presentToPayer } from './present-checkout'

export interface ReadCheckoutDeps {
  readonly findCheckout: FindCheckout
  readonly country: CountryRules
  /** Absent where no cards are taken. */
  readonly cardFeeBps: bigint | undefined
  /** True where payers are asked for whole shillings only. */
  readonly wholeMajorsOnly: boolean
}

/** Reads a checkout for its payer page. Refuses a checkout whose merchant cannot be paid. */
export function readCheckout(
  deps: ReadCheckoutDeps,
): Operations<LedgerServiceServer>['readCheckout'] {
  const { country, cardFeeBps, wholeMajorsOnly } = deps
  const terms = { currency: country.currency, cardFeeBps, wholeMajorsOnly }
  return async ({ checkoutId }) => {
    const checkout = await deps.findCheckout(checkoutId)
    if (checkout === undefined) throw new Fault('checkout_not_found', { checkoutId })
    if (!checkout.isWalletOpen) {
      throw new Fault('checkout_not_found', { checkoutId, payee: 'closed' })
    }
    return { checkout: presentToPayer(checkout, terms) }
  }
}
