import { wireOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { findHandlePayment } from './store/handle-intents'
import { presentAttempt } from '../checkouts/present-checkout'

/** Reads an attempt to pay a handle for its payer page. */
export function readHandlePayment(deps: Ledger): Operation<'readHandlePayment'> {
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
