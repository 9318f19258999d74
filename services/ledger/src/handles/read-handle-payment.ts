import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import type { CountryRules } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import type { SharedDatabase } from '../database/database'
import { findHandlePayment } from './store/handle-intents'
import { presentAttempt } from '../checkouts/present-checkout'

export interface ReadHandlePaymentDeps extends Pick<SharedDatabase, 'pool'> {
  readonly country: CountryRules
}

/** Reads an attempt to pay a handle for its payer page. */
export function readHandlePayment(
  deps: ReadHandlePaymentDeps,
): Operations<LedgerServiceServer>['readHandlePayment'] {
  const { currency } = deps.country
  return async ({ intentId }) => {
    const payment = await findHandlePayment(deps.pool, intentId)
    if (payment === undefined) throw new Fault('intent_not_found', { intentId })
    const { amountMinor, attempt, isFoundUnpaid: foundUnpaid, ...others } = payment
    const amount = { currency, minor: amountMinor }
    const deniedRail = wireOf('RAIL', payment.deniedRail)
    return {
      payment: { ...others, amount, attempt: presentAttempt(attempt), foundUnpaid, deniedRail },
    }
  }
}
