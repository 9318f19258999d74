import { withoutNulls } from '@malipo/contracts/present'
import { wireOf } from '@malipo/contracts/wire-words'
import { Fault } from '@malipo/kernel/errors'
import type { Ledger, Operation } from '../operation'
import { readPageLimit } from '../checkouts/list-checkouts'
import { readPaymentSearch } from './rules/payment-search'
import { findPayments as find } from './store/found-payments'

export function findPayments(deps: Ledger): Operation<'findPayments'> {
  return async ({ search: typed, limit }) => {
    const search = readPaymentSearch(typed)
    if (search === undefined) throw new Fault('invalid_request', { field: 'search' })
    const found = await find(deps.db, search, readPageLimit(limit))
    return {
      payments: found.map((payment) => ({
        ...withoutNulls(payment),
        amount: { minor: payment.minor, currency: deps.country.currency },
        status: wireOf('INTENT_STATUS', payment.status),
        rail: wireOf('RAIL', payment.rail),
      })),
    }
  }
}
