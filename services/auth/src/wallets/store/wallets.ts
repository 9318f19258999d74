import type { Account } from '../../accounts/rules/account'
import type { Database } from '../../database/database'

const atOnceMax = 50

/** Where the money of an account is. */
export type Home = Pick<Account, 'homeCountry' | 'cell'>

/** Accounts of a cell without an opened wallet, oldest first. */
export async function listWithoutWallet(
  db: Database,
  { homeCountry, cell }: Home,
): Promise<string[]> {
  const rows = await db.account.findMany({
    where: { homeCountry, cell, walletOpenedAt: null },
    orderBy: { createdAt: 'asc' },
    take: atOnceMax,
    select: { accountId: true },
  })
  return rows.map(({ accountId }) => accountId)
}

export async function markWalletOpened(db: Database, accountId: string): Promise<void> {
  await db.$executeRaw`
    UPDATE accounts SET wallet_opened_at = now() WHERE account_id = ${accountId} AND wallet_opened_at IS NULL`
}
