import type { Rail as RailName } from '@malipo/kernel/countries'
import type { Rail } from '@malipo/rails/rail'
import type { Log } from '@malipo/runtime/log'
import type { Accounts } from '../clients/accounts'
import type { Ledger } from '../clients/ledger'

/** What a job is given to work with. */
export interface JobDeps {
  readonly ledger: Ledger
  readonly accounts: Pick<Accounts, 'findPayee'>
  /** The rails that are on. */
  readonly rails: ReadonlyMap<RailName, Rail>
  /** Where providers reach us, without a slash at the end. */
  readonly callbackBaseUrl: string
  readonly log: Log
}
