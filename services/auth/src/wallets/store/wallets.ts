import type { Country } from '@malipo/kernel/countries'
import type { Account } from '../../accounts/rules/account'
import type { Database } from '../../database/database'

const atOnceMax = 50

/** Accounts without an opened wallet, oldest first. */
export async function listWithoutWallet(
  db: Database,
  homeCountry: Country,
): Promise<Pick<Account, 'accountId' | 'cell'>[]> {
  return db.account.findMany({
    where: { homeCountry, walletOpenedAt: null },
    orderBy: { createdAt: 'asc' },
    take: atOnceMax,
    select: { accountId: true, cell: true },
  })
}

export async function markWalletOpened(db: Database, accountId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE accounts SET wallet_opened_at = now() WHERE account_id = ${accountId} AND wallet_opened_at IS NULL`
}
