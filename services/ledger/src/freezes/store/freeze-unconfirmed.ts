import type { Pool } from 'pg'
import {
  freezeUnconfirmed as decide,
  type FrozenPayment,
  type UnconfirmedPayment,
  type Move,
} from '../rules/freeze-unconfirmed'
import type { Reader } from '../../statements/store/load-receipts'
import {
  inRetriedTransaction,
  json,
  type Statement,
  type Transaction,
} from '../../database/transaction'

interface Found {
  readonly receipt: string
  readonly intentId: string
}

/**
 * Takes back from wallets what a Pay Bill confirmation reported and the statement, read to well after it, does not show;
 * returns the receipts, as `mpesa:QK…`. The search, which reads much, runs on `db`.
 */
export async function freezeUnconfirmed(
  { db, pool }: { readonly db: Reader; readonly pool: Pool },
  afterSeconds: number,
): Promise<string[]> {
  const found = await findUnconfirmed(db, afterSeconds)
  if (found.length === 0) return []
  return inRetriedTransaction(pool, async (transaction) => {
    const frozen = decide(await loadPayments(transaction, found))
    const moves = frozen.flatMap(({ transfers }) => transfers)
    const suspense = frozen.map((one) => one.suspense)
    if (frozen.length > 0) await saveMoves(transaction, moves, suspense)
    return frozen.map(({ subject }) => subject)
  })
}

/** The most payments that one search finds. Later searches find the rest. */
const foundMax = 100

/**
 * Finds the unconfirmed payments. One that the statement shows with another amount is unconfirmed too. Nothing is found
 * while the statement cannot be read. The statement is read in overlapping stretches, so one may have the time of the
 * payment and another the time well after its confirmation. A confirmation can also be about a prompt, whose reference it
 * names: then the callback of the prompt confirms the payment as the statement does.
 */
async function findUnconfirmed(db: Reader, afterSeconds: number): Promise<Found[]> {
  return db.$queryRaw<Found[]>`
    -- The clock is read once, because an index is searched only for a constant time. late: a payment may enter the
    -- statement this long after it was made.
    WITH terms AS MATERIALIZED (
      SELECT clock_timestamp() AS now, make_interval(secs => ${afterSeconds}::float8) AS after,
        make_interval(secs => ${afterSeconds}::float8 / 2) AS late
    )
    SELECT DISTINCT ON (m.receipt) m.receipt, i.id AS "intentId"
    FROM terms, provider_messages m
    JOIN transfers t ON t.event_key = 'receipt:mpesa:' || m.receipt AND t.credit LIKE 'wallet:%'
    JOIN intents i ON i.receipt = m.receipt AND i.rail IN ('paybill', 'mpesa')
    -- The time of the payment comes from the confirmation and may be false, so it is moved between the report and how
    -- far the statement reaches back. Otherwise a false time would keep the payment from being found here.
    CROSS JOIN LATERAL (
      SELECT greatest(least(t.event_at, m.applied_at), m.applied_at - interval '47 hours')
    ) paid (at)
    WHERE m.rail = 'paybill' AND m.kind = 'callback' AND m.result = 'settled'
      AND m.applied_at > (SELECT now FROM terms) - interval '47 hours'
      AND m.applied_at < (SELECT now - after FROM terms)
      AND NOT EXISTS (
        SELECT FROM statement_rows s
        WHERE s.provider = 'mpesa' AND s.receipt = m.receipt AND s.minor = t.minor
      )
      AND NOT EXISTS (SELECT FROM transfers f WHERE f.event_key = 'frozen:mpesa:' || m.receipt)
      AND NOT EXISTS (
        SELECT FROM provider_messages report
        WHERE report.intent_id = i.id AND report.digest IS NOT NULL AND report.receipt = m.receipt
      )
      AND EXISTS (
        SELECT FROM statement_reads r
        WHERE r.provider = 'mpesa' AND r.from_at <= paid.at AND r.until_at >= paid.at + late
      )
      AND EXISTS (
        SELECT FROM statement_reads r WHERE r.provider = 'mpesa' AND r.until_at >= m.applied_at + late
      )
    ORDER BY m.receipt, i.id LIMIT ${foundMax}`
}

/** Lets no new rows of the statement be stored until the commit, so that the payments can be looked up there once more. */
const lockRows: Statement = {
  name: 'lock_unconfirmed_statement_rows',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('statement rows', 0))`,
}

const lockReceipts: Statement = {
  name: 'lock_unconfirmed_receipts',
  text: `
    SELECT pg_advisory_xact_lock(hashtextextended('receipt:mpesa:' || receipt, 0))
    FROM (SELECT receipt FROM unnest($1::text[]) given (receipt) ORDER BY receipt OFFSET 0) ordered`,
}

const lockWallets: Statement = {
  name: 'lock_unconfirmed_wallets',
  text: `
    SELECT FROM wallets w WHERE w.account_id = ANY (ARRAY (
      SELECT substr(money.holder, 8) FROM unnest($1::text[]) given (receipt), money_of('mpesa:' || given.receipt) money
      WHERE money.holder LIKE 'wallet:%'
    )) ORDER BY w.account_id FOR NO KEY UPDATE`,
}

const load: Statement = {
  name: 'load_unconfirmed',
  text: `
    SELECT 'mpesa:' || given.receipt AS subject, given.intent_id AS "intentId", money.holder, money.minor,
      balance_of(money.holder) AS "holderMinor", EXISTS (
        SELECT FROM statement_rows s
        WHERE s.provider = 'mpesa' AND s.receipt = given.receipt AND s.minor = money.minor
      ) AS "isShown"
    FROM unnest($1::text[], $2::text[]) given (receipt, intent_id), money_of('mpesa:' || given.receipt) money
    ORDER BY given.receipt`,
}

type Row = Omit<UnconfirmedPayment, 'minor' | 'holderMinor'> & {
  readonly minor: string
  readonly holderMinor: string
}

/**
 * Locks the rows of the statement, then the receipts, then the wallets, in this order as everywhere. Each statement
 * sees what was committed while the one before it waited.
 */
async function loadPayments(
  transaction: Transaction,
  found: readonly Found[],
): Promise<UnconfirmedPayment[]> {
  const receipts = found.map(({ receipt }) => receipt)
  const [, , , rows] = await Promise.all([
    transaction.query(lockRows, []),
    transaction.query(lockReceipts, [receipts]),
    transaction.query(lockWallets, [receipts]),
    transaction.query<Row>(load, [receipts, found.map(({ intentId }) => intentId)]),
  ])
  return rows.map(({ minor, holderMinor, ...row }) => ({
    ...row,
    minor: BigInt(minor),
    holderMinor: BigInt(holderMinor),
  }))
}

/** Posts the transfers $1 and opens the suspense items $2, under the locks of their receipts. */
const saveStatement: Statement = {
  name: 'save_moves',
  text: `
    WITH given AS MATERIALIZED (
      SELECT t."eventKey" AS event_key, t.leg, t.debit, t.credit, d.currency, t.minor FROM jsonb_to_recordset($1::jsonb) t (
        "eventKey" TEXT, leg SMALLINT, debit TEXT, credit TEXT, minor BIGINT
      ), deployment d
    ), opened AS (
      INSERT INTO accounts (id, currency) SELECT DISTINCT debit, currency FROM given WHERE debit LIKE 'receivable:%'
      ORDER BY debit
      ON CONFLICT (id) DO NOTHING
    ), suspended AS (
      INSERT INTO suspense_items (event_key, leg, reason, intent_id, minor, opened_at)
      SELECT s."eventKey", 0, 'unconfirmed', s."intentId", s.minor, clock_timestamp()
      FROM jsonb_to_recordset($2::jsonb) s ("eventKey" TEXT, "intentId" TEXT, minor BIGINT)
    )
    INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
    SELECT event_key, leg, debit, credit, currency, minor, now, now
    FROM given, (SELECT clock_timestamp() OFFSET 0) one (now)
    ORDER BY event_key, leg`,
}

/** Posts transfers that freeze money, or that release it. */
export async function saveMoves(
  transaction: Transaction,
  moves: readonly Move[],
  suspense: readonly FrozenPayment['suspense'][] = [],
): Promise<void> {
  await transaction.query(saveStatement, [json(moves), json(suspense)])
}
