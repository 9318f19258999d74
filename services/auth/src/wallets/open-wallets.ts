import { countries } from '@malipo/kernel/countries'
import type { CellLedgers } from '@malipo/ledger-client/ledger'
import type { Log } from '@malipo/runtime/log'
import { repeat } from '@malipo/runtime/repeat'
import type { Account } from '../accounts/rules/account'
import type { Database } from '../database/database'
import { type Home, listWithoutWallet, markWalletOpened } from './store/wallets'

const everyMs = 1_000

export interface OpenWalletsDeps {
  readonly db: Database
  readonly ledgers: CellLedgers
  readonly log: Log
}

type NewAccount = Home & Pick<Account, 'accountId'>

/** Opens the wallet of a new account at once, if its ledger answers. If not, the row stays marked as pending. */
export type OpenWallet = (account: NewAccount) => Promise<void>

export function openWalletOpener(deps: OpenWalletsDeps): OpenWallet {
  return async (account) => {
    await open(deps, account).catch((error: unknown) => {
      deps.log.warn({ error, accountId: account.accountId }, 'the wallet is opened later')
    })
  }
}

/**
 * Opens the pending wallets with one job for each cell, so that a cell whose ledger is down does not stop the others.
 */
export function startOpeningWallets(deps: OpenWalletsDeps): { stop: () => Promise<void> } {
  const { db, ledgers, log } = deps
  const openAll = async (home: Home) => {
    const accountIds = await listWithoutWallet(db, home)
    // All wallets are opened at once, so that a round takes no longer than one call to the ledger may, and no account
    // waits for another.
    const openings = accountIds.map((accountId) => open(deps, { ...home, accountId }))
    await Promise.allSettled(openings)
    await Promise.all(openings)
  }
  const jobs = Object.values(countries).flatMap(({ country: homeCountry }) =>
    Array.from({ length: ledgers.cells(homeCountry) }, (_, cell) => {
      const what = `open wallets in cell ${String(cell)} of ${homeCountry}`
      return repeat({ what, everyMs, log }, () => openAll({ homeCountry, cell }))
    }),
  )
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()))
    },
  }
}

/** Two replicas may do this for the same account: the ledger's method is idempotent. */
async function open({ db, ledgers }: OpenWalletsDeps, account: NewAccount): Promise<void> {
  await ledgers.of(account).openWallet(account.accountId)
  await markWalletOpened(db, account.accountId)
}
