import { walletAccount } from '../../journal/rules/postings'
import type { Checkout, CheckoutStatus } from '../rules/checkout'
import type { Database, SharedDatabase } from '../../database/database'
import { isStillFrozen } from '../../freezes/store/freezes'
import { Prisma } from '../../database/generated/client'
import { providerOfRail } from '../../journal/store/receipts'
import { findCheckouts, isReportClosed, isReportPosted } from './checkouts'

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
}

/** So many can be found by one search; a reference that begins more of them is told apart by its next letter. */
const foundMax = 500

/** The newest checkouts of an account that fit the question, and one more than asked for when there are more. */
export async function listCheckouts(
  { db, pool }: Pick<SharedDatabase, 'db' | 'pool'>,
  question: CheckoutQuestion,
): Promise<ListedCheckout[]> {
  const { accountId, search, limit } = question
  const conditions = [
    Prisma.sql`c.account_id = ${accountId}`,
    ...(question.status === undefined ? [] : [statusIs[question.status]]),
    ...(question.isPaidAfterExpiry
      ? [Prisma.sql`${settled} AND s.settled_at > c.expires_at)`]
      : []),
    ...(question.isMoneyHeld ? [Prisma.sql`c.id = ANY (${await findHeld(db, accountId)})`] : []),
    ...(search === '' ? [] : [Prisma.sql`c.id = ANY (${await findIds(db, question)})`]),
    ...within(question),
  ]
  const page = await db.$queryRaw<{ id: string }[]>`
    SELECT c.id FROM checkouts c WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY c.created_at DESC, c.id DESC LIMIT ${limit + 1}`
  const ids = page.map(({ id }) => id)
  const checkouts = await findCheckouts(pool, ids)
  const held = new Set(await heldAmong(db, ids))
  return checkouts.map((one) => ({ ...one, isMoneyHeld: held.has(one.checkoutId) }))
}

/** As the index of these few rows says it. */
const isHeld = Prisma.sql`disposition IN ('suspense_duplicate', 'suspense_mismatch', 'suspense_unmatched')`

/** The checkouts of an account for which money is held; the newest 500, should they ever be so many. */
export async function findHeld(db: Database, accountId: string): Promise<string[]> {
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

const settled = Prisma.sql`EXISTS (
  SELECT FROM intents s WHERE s.checkout_id = c.id AND s.disposition = 'merchant'`
const inFlight = Prisma.sql`EXISTS (SELECT FROM intents f WHERE f.checkout_id = c.id AND f.ended_at IS NULL)`
const isReportHeld = Prisma.sql`(
  SELECT clock_timestamp() < min(r.held_until) FROM pay_bill_reports r
  WHERE r.checkout_id = c.id AND NOT ${Prisma.raw(isReportPosted)} AND NOT ${Prisma.raw(isReportClosed)}
) IS TRUE`
const isOpen = Prisma.sql`(clock_timestamp() < c.expires_at OR ${inFlight} OR ${isReportHeld})`

/** `presentCheckout` of the domain decides the status; the database is asked the same to find a page of many. */
const statusIs = {
  completed: Prisma.sql`${settled})`,
  open: Prisma.sql`NOT ${settled}) AND ${isOpen}`,
  expired: Prisma.sql`NOT ${settled}) AND NOT ${isOpen}`,
} as const satisfies Record<CheckoutStatus, Prisma.Sql>

function within(question: CheckoutQuestion): Prisma.Sql[] {
  const { accountId, createdFrom, createdUntil, beforeCheckoutId } = question
  return [
    ...(createdFrom ? [Prisma.sql`c.created_at >= ${createdFrom}`] : []),
    ...(createdUntil ? [Prisma.sql`c.created_at < ${createdUntil}`] : []),
    // By the database's own microseconds, which a Date has not.
    ...(beforeCheckoutId === undefined
      ? []
      : [
          Prisma.sql`(c.created_at, c.id) < (
            SELECT created_at, id FROM checkouts WHERE id = ${beforeCheckoutId} AND account_id = ${accountId})`,
        ]),
  ]
}

/** Each way of finding has its own index; in one condition they would have none. */
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
