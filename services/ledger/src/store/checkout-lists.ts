import { walletAccount } from '../domain/chart'
import type { Checkout, CheckoutStatus } from '../domain/checkout'
import { checkoutOf } from './checkouts'
import type { Database } from './database'
import { isStillFrozen } from './frozen-payments'
import { Prisma } from './generated/client'
import { findOpenReports } from './open-reports'
import { providerOfRail } from './rails'

/** What an account asks to see of its checkouts. */
export interface CheckoutQuestion {
  readonly accountId: string
  readonly limit: number
  readonly beforeCheckoutId: string | undefined
  readonly status: CheckoutStatus | undefined
  readonly isPaidAfterExpiry: boolean
  readonly isMoneyHeld: boolean
  /** The id of a checkout or an attempt, a receipt, or the beginning of a reference; empty for any. */
  readonly search: string
  readonly createdFrom: Date | undefined
  readonly createdUntil: Date | undefined
}

/** A checkout, and whether money that came for it is in suspense. */
export interface ListedCheckout extends Checkout {
  readonly isMoneyHeld: boolean
  /** When an attempt of it was reported as paid; undefined unless that waits to be confirmed. */
  readonly reportedAt: Date | undefined
}

/** So many can be found by one search; a reference that begins more of them is told apart by its next letter. */
const foundMax = 500

/** The newest checkouts of an account that fit the question, and one more than asked for when there are more. */
export async function listCheckouts(
  db: Database,
  question: CheckoutQuestion,
): Promise<ListedCheckout[]> {
  const { accountId, search, limit } = question
  const conditions = [
    Prisma.sql`account_id = ${accountId}`,
    ...(question.status === undefined ? [] : [statusIs[question.status]]),
    ...(question.isPaidAfterExpiry ? [Prisma.sql`completed_at > expires_at`] : []),
    ...(question.isMoneyHeld
      ? [Prisma.sql`checkout_id = ANY (${await findHeld(db, accountId)})`]
      : []),
    ...(search === '' ? [] : [Prisma.sql`checkout_id = ANY (${await findIds(db, question)})`]),
    ...within(question),
  ]
  const page = await db.$queryRaw<{ checkoutId: string }[]>`
    SELECT checkout_id AS "checkoutId" FROM checkout_views WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY created_at DESC, checkout_id DESC LIMIT ${limit + 1}`
  const ids = page.map(({ checkoutId }) => checkoutId)
  const rows = await db.checkoutView.findMany({
    where: { checkoutId: { in: ids } },
    orderBy: [{ createdAt: 'desc' }, { checkoutId: 'desc' }],
  })
  const held = new Set(await heldAmong(db, ids))
  const reports = await findOpenReports(db, ids)
  return rows.map((row) => ({
    ...checkoutOf(row),
    isMoneyHeld: held.has(row.checkoutId),
    reportedAt: reports.get(row.checkoutId),
  }))
}

/** As the index of these few rows says it. */
const isHeld = Prisma.sql`disposition IN ('suspense_duplicate', 'suspense_mismatch', 'suspense_unmatched')`

/** The checkouts of an account for which money is held; the newest, should they ever be many. */
async function findHeld(db: Database, accountId: string): Promise<string[]> {
  const wallet = walletAccount(accountId)
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT c.id, c.created_at FROM intents i JOIN checkouts c ON c.id = i.checkout_id
    WHERE i.${isHeld} AND c.account_id = ${accountId}
    UNION SELECT c.id, c.created_at FROM (
      SELECT event_key FROM transfers WHERE debit = ${wallet} AND debit LIKE 'wallet:%'
      -- Of a wallet that was empty, its owner owes what was frozen.
      UNION SELECT event_key FROM transfers
      WHERE debit = replace(${wallet}, 'wallet:', 'receivable:') AND debit !~ '^(float|wallet):'
    ) f
    JOIN intents i ON i.receipt = split_part(f.event_key, ':', 3) AND i.receipt IS NOT NULL
      AND ${Prisma.raw(providerOfRail('i.rail'))} = split_part(f.event_key, ':', 2)
    JOIN checkouts c ON c.id = i.checkout_id
    WHERE f.event_key LIKE 'frozen:%' AND ${isStillFrozen} AND c.account_id = ${accountId}
    ORDER BY created_at DESC LIMIT ${foundMax}`
  return found.map(({ id }) => id)
}

async function heldAmong(db: Database, ids: readonly string[]): Promise<string[]> {
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT checkout_id AS id FROM intents WHERE checkout_id = ANY (${[...ids]}) AND ${isHeld}
    UNION SELECT i.checkout_id FROM intents i
    CROSS JOIN LATERAL (
      -- LIMIT: by its key for each of these few, however small the journal was when the plan was made.
      SELECT event_key FROM transfers
      WHERE event_key = 'frozen:' || ${Prisma.raw(providerOfRail('i.rail'))} || ':' || i.receipt LIMIT 1
    ) f
    WHERE i.checkout_id = ANY (${[...ids]}) AND i.receipt IS NOT NULL AND ${isStillFrozen}`
  return found.map(({ id }) => id)
}

/** `checkoutStatus` of the domain, as the database is asked it about many. */
const statusIs = {
  completed: Prisma.sql`completed_at IS NOT NULL`,
  open: Prisma.sql`completed_at IS NULL AND (flight_intent_id IS NOT NULL OR is_report_held OR NOT is_time_up)`,
  expired: Prisma.sql`completed_at IS NULL AND flight_intent_id IS NULL AND NOT is_report_held AND is_time_up`,
} as const satisfies Record<CheckoutStatus, Prisma.Sql>

function within(question: CheckoutQuestion): Prisma.Sql[] {
  const { accountId, createdFrom, createdUntil, beforeCheckoutId } = question
  return [
    ...(createdFrom ? [Prisma.sql`created_at >= ${createdFrom}`] : []),
    ...(createdUntil ? [Prisma.sql`created_at < ${createdUntil}`] : []),
    // By the database's own microseconds, which a Date has not.
    ...(beforeCheckoutId === undefined
      ? []
      : [
          Prisma.sql`(created_at, checkout_id) < (
            SELECT created_at, id FROM checkouts WHERE id = ${beforeCheckoutId} AND account_id = ${accountId})`,
        ]),
  ]
}

/** Each way of finding has an index of its own; in one condition they would have none. */
async function findIds(
  db: Database,
  { accountId, search }: Pick<CheckoutQuestion, 'accountId' | 'search'>,
): Promise<string[]> {
  const beginning = `${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM checkouts WHERE id = ${search} AND account_id = ${accountId}
    UNION SELECT id FROM checkouts WHERE account_id = ${accountId} AND reference LIKE ${beginning}
    UNION SELECT c.id FROM intents i JOIN checkouts c ON c.id = i.checkout_id
      WHERE (i.id = ${search} OR i.receipt = ${search} OR i.receipt = upper(${search}))
        AND c.account_id = ${accountId}
    LIMIT ${foundMax}`
  return found.map(({ id }) => id)
}
