import type { LedgerServiceServer } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { wordOf } from '@malipo/contracts/wire-words'
import type { CountryRules } from '@malipo/kernel/countries'
import type { Operations } from '@malipo/runtime/grpc'
import { listCheckouts as listStoredCheckouts } from '../store/checkout-lists'
import type { SharedDatabase } from '../store/database'
import { presentListed } from './present-checkout'
import { readPageLimit, readSearch } from './read-request'

export interface ListCheckoutsDeps extends Pick<SharedDatabase, 'db' | 'pool'> {
  readonly country: CountryRules
}

/** The checkouts of one account, newest first, a page at a time. */
export function listCheckouts(
  deps: ListCheckoutsDeps,
): Operations<LedgerServiceServer>['listCheckouts'] {
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
      // Fifty of the longest addresses would not fit in one message.
      presentListed(checkout, deps.country.currency),
    )
    return { checkouts, hasMore: found.length > limit }
  }
}
