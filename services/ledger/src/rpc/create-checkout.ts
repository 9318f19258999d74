import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { type CountryRules, isWithinLimits } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import { createCheckout as keepCheckout, findCheckout } from '../store/checkouts'
import type { Database } from '../store/database'
import type { NewIds } from '../store/new-ids'
import type { PayBillNumbers } from '../store/pay-bill-numbers'
import { presentToMerchant } from './present-checkout'
import { readFingerprint } from './read-request'

export interface CreateCheckoutDeps {
  readonly db: Database
  readonly country: CountryRules
  readonly newIds: NewIds
  readonly lifeSeconds: number
  /** Absent where there is no Pay Bill menu. */
  readonly payBillNumbers: PayBillNumbers | undefined
}

/** Makes a checkout, or answers with the one that its key made, as it is now. */
export function createCheckout(
  deps: CreateCheckoutDeps,
): Operations<LedgerServiceServer>['createCheckout'] {
  const { db, country } = deps
  return async ({ idempotencyKey: key, fingerprint, ...order }) => {
    const isPayable = isWithinLimits(country, order.amountMinor)
    const checkout = { ...order, checkoutId: deps.newIds.checkout() }
    const made = await keepCheckout(db, {
      ...checkout,
      key,
      fingerprint: key === undefined ? fingerprint : readFingerprint(fingerprint),
      refusal: isPayable ? undefined : 'amount_outside_limits',
      lifeSeconds: deps.lifeSeconds,
      payBillNumber: isPayable ? await deps.payBillNumbers?.take() : undefined,
    })
    if (made.outcome === 'created') {
      const { createdAt, expiresAt } = made
      const open = {
        ...checkout,
        createdAt,
        expiresAt,
        status: 'open',
        payment: undefined,
      } as const
      return { checkout: presentToMerchant(open, country.currency), replayed: false }
    }
    if (made.outcome !== 'replayed') throw new Fault(made.outcome, { accountId: order.accountId })
    const earlier = await findCheckout(db, made.checkoutId)
    return { checkout: earlier && presentToMerchant(earlier, country.currency), replayed: true }
  }
}
