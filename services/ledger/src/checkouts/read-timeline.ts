import type { TimelineAttempt } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wireOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { type AttemptHistory, listAttempts } from './store/timelines'
import { presentListed } from './present-checkout'

/** Reads the history of one checkout. A checkout of another account is answered as unknown. */
export function readTimeline(deps: Ledger): Operation<'readTimeline'> {
  return async ({ accountId, checkoutId }) => {
    const checkout = await deps.findCheckout(checkoutId)
    if (checkout?.accountId !== accountId) throw new Fault('checkout_not_found', { checkoutId })
    const attempts = await listAttempts(deps.db, checkoutId)
    const isMoneyHeld = attempts.some(({ heldBecause }) => heldBecause !== undefined)
    return {
      checkout: presentListed({ ...checkout, isMoneyHeld }, deps.country.currency),
      payBillAccountNumber: checkout.payBillNumber,
      attempts: attempts.map(presentAttempt),
    }
  }
}

function presentAttempt(attempt: AttemptHistory): TimelineAttempt {
  return {
    intentId: attempt.intentId,
    status: wireOf('INTENT_STATUS', attempt.status),
    rail: wireOf('RAIL', attempt.rail),
    phone: attempt.phone,
    cause: wireOf('FAILURE_CAUSE', attempt.cause),
    startedAt: attempt.startedAt,
    amountSettledMinor: attempt.settledMinor,
    providerReceipt: attempt.receipt,
    heldBecause: attempt.heldBecause,
    frozenAt: attempt.frozenAt,
    returnedAt: attempt.returnedAt,
    steps: attempt.steps.map(({ status, at }) => ({ status: wireOf('INTENT_STATUS', status), at })),
  }
}
