import type { CountryRules } from '@malipo/kernel/countries'
import { walletAccount } from '../../journal/rules/postings'
import type { Act } from '../../refunds/rules/decide-by-hand'
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

export interface CardsSwitch extends Act {
  readonly accountId: string
  readonly isOn: boolean
}

export type CardsOutcome = 'switched_on' | 'switched_off' | 'nothing_to_do' | 'wallet_not_found'

/** Changes whether a wallet takes cards, and writes down who did it, in one statement. */
export async function switchCards(
  db: Database,
  { accountId, isOn, operator, note }: CardsSwitch,
): Promise<CardsOutcome> {
  const done = isOn ? 'switched_on' : 'switched_off'
  const [found] = await db.$queryRaw<[{ isSwitched: boolean; isThere: boolean }]>`
    WITH switched AS (
      UPDATE wallets SET card_enabled = ${isOn} WHERE account_id = ${accountId} AND card_enabled <> ${isOn}
      RETURNING 1
    ), noted AS MATERIALIZED (
      SELECT note_action(${operator}, ${`cards_${done}`}, ${accountId}, ${note}) FROM switched
    )
    SELECT EXISTS (SELECT FROM noted) AS "isSwitched",
      EXISTS (SELECT FROM wallets WHERE account_id = ${accountId}) AS "isThere"`
  if (found.isSwitched) return done
  return found.isThere ? 'nothing_to_do' : 'wallet_not_found'
}

export async function isWalletOpen(db: Database, accountId: string): Promise<boolean> {
  const wallet = await db.wallet.findUnique({ where: { accountId }, select: { frozenAt: true } })
  return wallet?.frozenAt === null
}
