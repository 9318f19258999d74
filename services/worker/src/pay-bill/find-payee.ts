import type { Accounts } from '@malipo/accounts-client/accounts'
import type { Cell } from '@malipo/kernel/cells'
import type { Country } from '@malipo/kernel/countries'
import { Fault } from '@malipo/kernel/errors'
import type { FoundPayee } from '@malipo/ledger-client/evidence'

/**
 * Finds the payee of a handle: undefined for an unknown handle, a closed link, another country or cell, or an owner who
 * takes no payments. `unanswered` when the lookup failed.
 */
export type FindPayee = (handle: string) => Promise<FoundPayee>

export function openFindPayee(
  accounts: Pick<Accounts, 'findPayee'>,
  { country, cell }: { readonly country: Country; readonly cell: Cell },
): FindPayee {
  return (handle) =>
    accounts.findPayee(handle, country, cell).catch((error: unknown) => {
      if (error instanceof Fault && error.reason === 'unavailable') return 'unanswered'
      throw error
    })
}
