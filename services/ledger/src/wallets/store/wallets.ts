import type { CountryRules } from '@malipo/kernel/countries'
import { walletAccount } from '../../journal/rules/postings'
import type { Database } from '../../database/database'

export interface OpenedWallet {
  readonly accountId: string
  /** Undefined leaves an open wallet as it is; a new wallet then takes no cards. */
  readonly cardEnabled: boolean | undefined
}

/** Opens a wallet with its account in the journal, or changes whether an open one takes cards. */
export async function openWallet(
  db: Database,
  wallet: OpenedWallet,
  { currency }: CountryRules,
): Promise<void> {
  await db.$executeRaw`
    WITH account AS (
      INSERT INTO accounts (id, currency) VALUES (${walletAccount(wallet.accountId)}, ${currency})
      ON CONFLICT (id) DO NOTHING
    )
    INSERT INTO wallets (account_id, card_enabled) VALUES (${wallet.accountId}, ${wallet.cardEnabled ?? false})
    ON CONFLICT (account_id) DO UPDATE
    SET card_enabled = coalesce(${wallet.cardEnabled}::boolean, wallets.card_enabled)`
}

export async function isWalletOpen(db: Database, accountId: string): Promise<boolean> {
  const wallet = await db.wallet.findUnique({ where: { accountId }, select: { frozenAt: true } })
  return wallet?.frozenAt === null
}
