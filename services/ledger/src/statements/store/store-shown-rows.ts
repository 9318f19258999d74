import type { Minor } from '@malipo/kernel/money'
import type { KnownReceipt } from '../../freezes/rules/freeze-unconfirmed'
import type { Statement, Transaction } from '../../database/transaction'

/**
 * The lock keeps the freezing of unconfirmed payments (`freezes/store/freeze-unconfirmed.ts`) out while this
 * transaction runs. A payment was either frozen before, and this transaction undoes that, or is looked at later, when
 * its row is there.
 */
const keep: Statement = {
  name: 'keep_shown_rows',
  text: `
    WITH unfreezing AS MATERIALIZED (
      SELECT pg_advisory_xact_lock_shared(hashtextextended('statement rows', 0)), clock_timestamp() AS now
    ), kept AS (
      INSERT INTO statement_rows (provider, receipt, minor, paid_at, seen_at)
      SELECT 'mpesa', row.receipt, row.minor, coalesce(row.paid_at, unfreezing.now), unfreezing.now
      FROM unfreezing, unnest($1::text[], $2::bigint[], $3::timestamptz[]) row (receipt, minor, paid_at)
      -- All readers keep receipts in one order, so two that show the same ones do not deadlock.
      ORDER BY row.receipt
      ON CONFLICT DO NOTHING
      RETURNING 1
    )
    SELECT count(*)::int AS kept FROM kept`,
}

const lock: Statement = {
  name: 'lock_shown_rows',
  text: `
    SELECT frozen.receipt, pg_advisory_xact_lock(hashtextextended('receipt:mpesa:' || frozen.receipt, 0)) FROM (
      SELECT DISTINCT row.receipt FROM unnest($1::text[]) row (receipt)
      -- LIMIT 1 keeps the index, here and below: a plan made while a table was small would read all of it for each row.
      CROSS JOIN LATERAL (
        SELECT FROM transfers f WHERE f.event_key = 'frozen:mpesa:' || row.receipt LIMIT 1
      ) f
      ORDER BY row.receipt OFFSET 0
    ) frozen`,
}

const load: Statement = {
  name: 'load_shown_rows',
  text: `
    SELECT row.receipt, s.minor AS "firstMinor", CASE WHEN row.receipt = ANY ($2::text[]) THEN (
      SELECT jsonb_agg(jsonb_build_object('leg', f.leg, 'debit', f.debit, 'credit', f.credit, 'minor', f.minor::text,
        'holder', money.holder, 'heldMinor', money.minor::text) ORDER BY f.leg)
      FROM transfers f, money_of('mpesa:' || row.receipt) money WHERE f.event_key = 'frozen:mpesa:' || row.receipt
    ) END AS legs
    FROM (SELECT DISTINCT receipt FROM unnest($1::text[]) given (receipt)) row
    CROSS JOIN LATERAL (
      SELECT s.minor FROM statement_rows s WHERE s.provider = 'mpesa' AND s.receipt = row.receipt LIMIT 1
    ) s`,
}

/** The statements of one batch, for the tests of their plans. */
export const shownStatements = { keep, lock, load }

export interface KeptRow {
  readonly receipt: string
  readonly amountMinor: Minor
  readonly paidAt: Date | undefined
}

interface Row {
  readonly receipt: string
  readonly firstMinor: string
  readonly legs:
    | readonly {
        readonly leg: number
        readonly debit: string
        readonly credit: string
        readonly minor: string
        readonly holder: string | null
        readonly heldMinor: string
      }[]
    | null
}

/**
 * Keeps rows of the statement, before they are applied, and reads what is known of their receipts, behind the locks of
 * those that are frozen. Nearly always all rows are new and none is frozen: then nothing more is known and nothing is
 * read, and the statements share a round trip with those that the caller sends next.
 */
export async function storeShownRows(
  transaction: Transaction,
  rows: readonly KeptRow[],
): Promise<KnownReceipt[]> {
  if (rows.length === 0) return []
  const receipts = rows.map(({ receipt }) => receipt)
  const [counts, locked] = await Promise.all([
    transaction.query<{ kept: number }>(keep, [
      receipts,
      rows.map(({ amountMinor }) => String(amountMinor)),
      rows.map(({ paidAt }) => paidAt?.toISOString() ?? null),
    ]),
    transaction.query<{ receipt: string }>(lock, [receipts]),
  ])
  if (counts[0]?.kept === rows.length && locked.length === 0) {
    return rows.map(({ receipt, amountMinor: firstMinor }) => ({
      ...{ receipt, firstMinor, frozen: undefined },
    }))
  }
  const frozen = locked.map(({ receipt }) => receipt)
  const known = await transaction.query<Row>(load, [receipts, frozen])
  return known.map(({ receipt, firstMinor, legs }) => ({
    ...{ receipt, firstMinor: BigInt(firstMinor), frozen: legs ? frozenOf(legs) : undefined },
  }))
}

function frozenOf(legs: NonNullable<Row['legs']>): KnownReceipt['frozen'] {
  const [first] = legs
  if (first === undefined) return undefined
  return {
    ...{ holder: first.holder, minor: BigInt(first.heldMinor) },
    legs: legs.map(({ leg, debit, credit, minor }) => ({
      ...{ leg, debit, credit, minor: BigInt(minor) },
    })),
  }
}
