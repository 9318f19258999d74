import { Fault } from '@malipo/kernel/errors'
import { wordOf } from '@malipo/contracts/wire-words'
import type { Ledger, Operation } from '../operation'
import { listCheckouts as listStoredCheckouts } from './store/checkout-lists'
import { presentListed } from './present-checkout'

/** The most rows that fit in one message, however long their texts are. */
const pageMax = 50

export function readPageLimit(limit: number): number {
  if (limit < 1 || limit > pageMax) throw new Fault('invalid_request', { field: 'limit' })
  return limit
}

const searchLengthMax = 64

function readSearch(text: string): string {
  if (text.length > searchLengthMax) throw new Fault('invalid_request', { field: 'search' })
  return text
}

/** The checkouts of one account, newest first, a page at a time. */
export function listCheckouts(deps: Ledger): Operation<'listCheckouts'> {
  return async (request) => {
    const limit = readPageLimit(request.limit)
    const found = await listStoredCheckouts(deps, {
      accountId: request.accountId,
      limit,
      beforeCheckoutId: request.beforeCheckoutId,
      status: wordOf('CHECKOUT_STATUS', request.status),
      isPaidAfterExpiry: request.paidAfterExpiry,
      isMoneyHeld: request.moneyHeld,
      search: readSearch(request.search),
      createdFrom: request.createdFrom,
      createdUntil: request.createdUntil,
    })
    const checkouts = found.slice(0, limit).map(({ returnUrl: _, ...checkout }) =>
      // Return addresses are left out, as fifty of the longest would not fit in one message.
      presentListed(checkout, deps.country.currency),
    )
    return { checkouts, hasMore: found.length > limit }
  }
}
