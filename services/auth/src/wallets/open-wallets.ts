import { countries, type Country } from '@malipo/kernel/countries'
import type { CellLedgers } from '@malipo/ledger-client/ledger'
import type { Log } from '@malipo/runtime/log'
import { repeat } from '@malipo/runtime/repeat'
import type { Account } from '../accounts/rules/account'
import type { Database } from '../database/database'
import { listWithoutWallet, markWalletOpened } from './store/wallets'

const everyMs = 1_000

export interface OpenWalletsDeps {
  readonly db: Database
  readonly ledgers: CellLedgers
  readonly log: Log
}

/** Opens the wallet of a new account at once, if its ledger answers. If not, the row stays marked as pending. */
export type OpenWallet = (
  account: Pick<Account, 'accountId' | 'homeCountry' | 'cell'>,
) => Promise<void>

export function openWalletOpener({ db, ledgers, log }: OpenWalletsDeps): OpenWallet {
  return async (account) => {
    const { accountId } = account
    const opening = ledgers
      .of(account)
      .openWallet(accountId)
      .then(() => markWalletOpened(db, accountId))
    await opening.catch((error: unknown) => {
      log.warn({ error, accountId }, 'the wallet is opened later')
    })
  }
}

/** Opens the pending wallets. The ledger's method is idempotent, so two replicas may both try. */
export function startOpeningWallets(deps: OpenWalletsDeps): { stop: () => Promise<void> } {
  const { db, ledgers, log } = deps
  const openAll = async (homeCountry: Country) => {
    for (const { accountId, cell } of await listWithoutWallet(db, homeCountry)) {
      await ledgers.of({ homeCountry, cell }).openWallet(accountId)
      await markWalletOpened(db, accountId)
    }
  }
  const jobs = Object.values(countries).map(({ country }) =>
    repeat({ what: `open wallets in ${country}`, everyMs, log }, () => openAll(country)),
  )
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()))
    },
  }
}
