import type { Minor } from '@malipo/kernel/money'
import type { WalletMove } from '@malipo/kernel/wallet-move'
import { walletAccount } from '../../journal/rules/postings'
import type { Database } from '../../database/database'
import { isStillFrozen } from '../../freezes/store/freezes'
import { Prisma } from '../../database/generated/client'
import { providerOfRail } from '../../journal/store/receipts'

export interface Wallet {
  readonly balanceMinor: Minor
  readonly openedAt: Date
  /** Since when the wallet takes no payments; null when it takes them. */
  readonly frozenAt: Date | null
  /** Money taken out of the wallet and held, because the provider's statement does not show the payments. */
  readonly unconfirmedMinor: Minor
}

/** One row of the journal, as the owner of a wallet sees it. */
export interface WalletEntry {
  /** `<leg>:<event key>`. */
  readonly entryId: string
  /** Below zero for money that went out. */
  readonly minor: Minor
  readonly at: Date
  readonly provider: string | null
  readonly receipt: string | null
  readonly checkoutId: string | null
  readonly reference: string | null
  /** The username or the address of a link that was paid; null when it was a checkout. */
  readonly handle: string | null
  /** The payer's number; null where none is known. */
  readonly phone: string | null
  readonly move: WalletMove
}

/**
 * The balance of a wallet, now or before a moment, summed from the journal; undefined for a wallet that is not opened.
 * `unconfirmedMinor` is always the present sum.
 */
export async function findWallet(
  db: Database,
  accountId: string,
  balanceBefore?: Date,
): Promise<Wallet | undefined> {
  const account = walletAccount(accountId)
  const then =
    balanceBefore === undefined ? Prisma.empty : Prisma.sql`AND created_at < ${balanceBefore}`
  const [wallet] = await db.$queryRaw<Wallet[]>`
    SELECT opened_at AS "openedAt", frozen_at AS "frozenAt",
      (SELECT coalesce(sum(minor), 0) FROM transfers f
       WHERE debit = ${account} AND debit LIKE 'wallet:%' AND event_key LIKE 'frozen:%' AND ${isStillFrozen})::bigint AS "unconfirmedMinor",
      (SELECT coalesce(sum(minor), 0) FROM transfers WHERE credit = ${account} AND credit LIKE 'wallet:%' ${then})::bigint
      - (SELECT coalesce(sum(minor), 0) FROM transfers WHERE debit = ${account} AND debit LIKE 'wallet:%' ${then})::bigint
        AS "balanceMinor"
    FROM wallets WHERE account_id = ${accountId}`
  return wallet
}

export interface EntryQuestion {
  readonly limit: number
  /** Only entries that are older than this one. */
  readonly beforeEntryId: string | undefined
  readonly createdFrom: Date | undefined
  readonly createdUntil: Date | undefined
}

/**
 * The newest entries of a wallet that fit the question, and one more than asked for when there are more. The debits and
 * the credits are each read by an index and a limit, so that a page costs the same however long the history is.
 */
export async function listEntries(
  db: Pick<Database, '$queryRaw'>,
  accountId: string,
  page: EntryQuestion,
): Promise<WalletEntry[]> {
  const account = walletAccount(accountId)
  const before = page.beforeEntryId && (await findCreatedAt(db, account, page.beforeEntryId))
  if (page.beforeEntryId !== undefined && before === undefined) return []
  const { createdFrom, createdUntil } = page
  const newest = (side: 'credit' | 'debit') => Prisma.sql`(
      SELECT leg || ':' || event_key AS entry_id, event_key, ${side === 'debit' ? Prisma.sql`-minor` : Prisma.sql`minor`} AS minor, created_at
      FROM transfers WHERE ${Prisma.raw(side)} = ${account} AND ${Prisma.raw(side)} LIKE 'wallet:%'
      ${createdFrom ? Prisma.sql`AND created_at >= ${createdFrom}` : Prisma.empty}
      ${createdUntil ? Prisma.sql`AND created_at < ${createdUntil}` : Prisma.empty}
      ${
        before
          ? Prisma.sql`AND created_at <= ${before}::timestamptz
              AND (created_at, leg || ':' || event_key) < (${before}::timestamptz, ${page.beforeEntryId})`
          : Prisma.empty
      }
      ORDER BY created_at DESC, entry_id DESC LIMIT ${page.limit + 1}
    )`
  return db.$queryRaw<WalletEntry[]>`
    WITH page AS (
      ${newest('credit')} UNION ALL ${newest('debit')} ORDER BY created_at DESC, entry_id DESC LIMIT ${page.limit + 1}
    )
    SELECT page.entry_id AS "entryId", page.minor, page.created_at AS at, money.provider, money.receipt,
      paid.checkout_id AS "checkoutId", paid.reference, paid.handle, paid.phone,
      CASE split_part(page.event_key, ':', 1)
        WHEN 'receipt' THEN 'received'
        WHEN 'refunded' THEN 'refunded'
        WHEN 'placed' THEN CASE WHEN EXISTS (
          SELECT FROM transfers f WHERE f.event_key = 'frozen:' || subject_of(page.event_key) AND f.debit = ${account}
        ) THEN 'returned' ELSE 'placed' END
        WHEN 'frozen' THEN CASE
          WHEN EXISTS (
            SELECT FROM transfers t
            WHERE t.event_key = 'placed:' || subject_of(page.event_key) AND t.credit = ${account}
          ) THEN 'unfrozen'
          WHEN EXISTS (
            SELECT FROM transfers t
            WHERE t.event_key IN ('placed:' || subject_of(page.event_key), 'refunded:' || subject_of(page.event_key))
          ) THEN 'voided'
          ELSE 'frozen'
        END
      END AS move
    FROM page
    CROSS JOIN LATERAL (
      SELECT (regexp_match(page.event_key, '^[a-z]+:([^:]+):'))[1] AS provider,
        (regexp_match(page.event_key, '^[a-z]+:[^:]+:(.*)$'))[1] AS receipt
    ) money
    LEFT JOIN LATERAL (
      SELECT i.checkout_id, c.reference, nullif(i.handle, 'suspense') AS handle, i.phone FROM intents i LEFT JOIN checkouts c ON c.id = i.checkout_id
      WHERE i.receipt = money.receipt AND i.receipt IS NOT NULL AND ${Prisma.raw(providerOfRail('i.rail'))} = money.provider
      -- Money placed from suspense may have two intents with its receipt: the one that paid the merchant comes first.
      ORDER BY i.disposition = 'merchant' DESC LIMIT 1
    ) paid ON true
    ORDER BY page.created_at DESC, page.entry_id DESC`
}

/** When an entry of a wallet was written, as text: a `Date` has no microseconds. */
async function findCreatedAt(
  db: Pick<Database, '$queryRaw'>,
  account: string,
  entryId: string,
): Promise<string | undefined> {
  const [leg = '', ...eventKey] = entryId.split(':')
  const [found] = await db.$queryRaw<{ at: string }[]>`
    SELECT created_at::text AS at FROM transfers
    WHERE event_key = ${eventKey.join(':')} AND leg::text = ${leg} AND ${account} IN (credit, debit)`
  return found?.at
}
