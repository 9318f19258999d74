import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { type CountryRules, isWithinLimits } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { Log } from '@malipo/runtime/log'
import {
  type CreateOutcome,
  createTogether,
  createCheckout as keepAlone,
  findCheckout,
  type NewCheckout,
} from '../store/checkouts'
import type { Database } from '../store/database'
import { gather } from '../store/gather'
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
  readonly log: Log
}

/** Makes a checkout, or answers with the one that its key made, as it is now. */
export function createCheckout(
  deps: CreateCheckoutDeps,
): Operations<LedgerServiceServer>['createCheckout'] {
  const { db, country } = deps
  const keepGathered = gather<NewCheckout, CreateOutcome>({
    together: async (many) =>
      createTogether(db, many).catch((error: unknown) => {
        // Nothing was made. Whoever it was about will hear of it, and the others will have theirs.
        deps.log.warn({ err: error, checkouts: many.length }, 'to be made one by one')
        return []
      }),
    alone: async (made) => keepAlone(db, made),
  })
  const keepCheckout = async (made: NewCheckout) =>
    made.key === undefined || made.refusal !== undefined ? keepAlone(db, made) : keepGathered(made)
  return async ({ idempotencyKey: key, fingerprint, ...order }) => {
    const isPayable = isWithinLimits(country, order.amountMinor)
    const checkout = { ...order, checkoutId: deps.newIds.checkout() }
    const made = await keepCheckout({
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
