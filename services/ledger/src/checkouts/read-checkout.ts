import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { presentToPayer } from './present-checkout'

/** Reads a checkout for its payer page. Refuses a checkout whose merchant cannot be paid. */
export function readCheckout(deps: Ledger): Operation<'readCheckout'> {
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
