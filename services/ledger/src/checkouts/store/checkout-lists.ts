import { walletAccount } from '../../journal/rules/postings'
import type { Checkout, CheckoutStatus } from '../rules/checkout'
import type { Database, SharedDatabase } from '../../database/database'
import { isStillFrozen } from '../../freezes/store/freezes'
import { Prisma } from '../../database/generated/client'
import { providerOfRail } from '../../journal/store/receipts'
import { findCheckouts, isReportClosed, isReportPosted } from './checkouts'

/** Filters and page of a list of one account's checkouts. */
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

/**
 * The most checkouts that one search finds, which the hub says as `foundCheckoutsMax`. Where more references begin alike,
 * one more letter tells them apart.
 */
const foundMax = 500

/** How long a checkout can be paid, and how long a report of a Pay Bill payment keeps it open. */
export interface OpenTerms {
  readonly lifeSeconds: number
  readonly payBill: { readonly holdSeconds: number }
}

/** The newest checkouts of an account that fit the question, and one more than asked for when there are more. */
export async function listCheckouts(
  { db, pool, ...terms }: Pick<SharedDatabase, 'db' | 'pool'> & OpenTerms,
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
    SELECT c.id FROM ${question.status === 'open' ? maybeOpen(accountId, terms) : Prisma.sql`checkouts c`}
    WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY c.created_at DESC, c.id DESC LIMIT ${limit + 1}`
  const ids = page.map(({ id }) => id)
  const checkouts = await findCheckouts(pool, ids)
  const held = new Set(await heldAmong(db, ids))
  return checkouts.map((one) => ({ ...one, isMoneyHeld: held.has(one.checkoutId) }))
}

/** The condition of the partial index on these few rows, word for word, so that the index is used. */
const isHeld = Prisma.sql`disposition IN ('suspense_duplicate', 'suspense_mismatch', 'suspense_unmatched')`

/** The checkouts of an account for which money is held, at most the newest `foundMax`. */
export async function findHeld(db: Database, accountId: string): Promise<string[]> {
  const wallet = walletAccount(accountId)
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT c.id, c.created_at FROM intents i JOIN checkouts c ON c.id = i.checkout_id
    WHERE i.${isHeld} AND c.account_id = ${accountId}
    UNION SELECT c.id, c.created_at FROM (
      SELECT event_key FROM transfers WHERE debit = ${wallet} AND debit LIKE 'wallet:%'
      -- Where the wallet lacked the money, the freezing was debited to what its owner owes.
      UNION SELECT event_key FROM transfers
      WHERE debit = replace(${wallet}, 'wallet:', 'receivable:') AND debit !~ '^(float|wallet):'
    ) f
    JOIN intents i ON i.receipt = split_part(f.event_key, ':', 3) AND i.receipt IS NOT NULL
      AND ${Prisma.raw(providerOfRail('i.rail'))} = split_part(f.event_key, ':', 2)
    JOIN checkouts c ON c.id = i.checkout_id
    WHERE f.event_key LIKE 'frozen:%' AND ${isStillFrozen} AND c.account_id = ${accountId}
    ORDER BY created_at DESC, id DESC LIMIT ${foundMax}`
  return found.map(({ id }) => id)
}

async function heldAmong(db: Database, ids: readonly string[]): Promise<string[]> {
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT checkout_id AS id FROM intents WHERE checkout_id = ANY (${[...ids]}) AND ${isHeld}
    UNION SELECT i.checkout_id FROM intents i
    CROSS JOIN LATERAL (
      -- LIMIT makes the plan look up each transfer by its key, also when it was made while the journal was small.
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

/** The few checkouts that may be open, each by an index: a merchant has few open ones among all that were ever made. */
function maybeOpen(accountId: string, { lifeSeconds, payBill }: OpenTerms): Prisma.Sql {
  // `statement_timestamp()` is a constant for the planner, so the index is searched from this time on.
  const ago = (seconds: number) =>
    Prisma.sql`statement_timestamp() - make_interval(secs => ${seconds}::float8)`
  return Prisma.sql`(
      SELECT id FROM checkouts WHERE account_id = ${accountId} AND created_at > ${ago(lifeSeconds)}
      UNION SELECT checkout_id FROM intents WHERE ended_at IS NULL AND checkout_id IS NOT NULL
      UNION SELECT checkout_id FROM pay_bill_reports WHERE reported_at > ${ago(payBill.holdSeconds)}
    ) maybe (checkout_id) JOIN LATERAL (SELECT * FROM checkouts WHERE id = maybe.checkout_id LIMIT 1) c ON true`
}

/** The status as `presentCheckout` decides it, repeated in SQL to find a page among many checkouts. */
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
    // The database compares its own times, because a Date has no microseconds.
    ...(beforeCheckoutId === undefined
      ? []
      : [
          Prisma.sql`(c.created_at, c.id) < (
            SELECT created_at, id FROM checkouts WHERE id = ${beforeCheckoutId} AND account_id = ${accountId})`,
        ]),
  ]
}

/**
 * The checkouts that a search finds, at most the newest `foundMax`. Each kind of term has a separate SELECT, which uses an
 * index. One SELECT with OR would use no index.
 */
async function findIds(
  db: Database,
  { accountId, search }: Pick<CheckoutQuestion, 'accountId' | 'search'>,
): Promise<string[]> {
  const beginning = `${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT id, created_at FROM checkouts WHERE id = ${search} AND account_id = ${accountId}
    UNION SELECT id, created_at FROM checkouts WHERE account_id = ${accountId} AND reference LIKE ${beginning}
    UNION SELECT c.id, c.created_at FROM intents i JOIN checkouts c ON c.id = i.checkout_id
      WHERE (i.id = ${search} OR i.receipt = ${search} OR i.receipt = upper(${search}))
        AND c.account_id = ${accountId}
    ORDER BY created_at DESC, id DESC LIMIT ${foundMax}`
  return found.map(({ id }) => id)
}
