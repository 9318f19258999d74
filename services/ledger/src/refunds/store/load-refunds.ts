import type { Refund, RefundCourse, RefundState } from '../rules/state'
import {
  micros,
  timestamp,
  intentColumns,
  type IntentRow,
  readIntent,
  Stale,
  type Statement,
  type Transaction,
} from '../../database/transaction'
import { providerOf } from '../../journal/rules/postings'

const plain = {
  id: 'id',
  provider: 'provider',
  receipt: 'receipt',
  minor: 'minor',
  sentBy: 'sent_by',
  askedBy: 'asked_by',
  callbackSecret: 'callback_secret',
  status: 'status',
  decidedBy: 'decided_by',
  providerRequestId: 'provider_request_id',
  providerCode: 'provider_code',
  closing: 'closing',
  closingAskedBy: 'closing_asked_by',
  closedBy: 'closed_by',
} as const

const times = {
  decidedAt: 'decided_at',
  submittedAt: 'submitted_at',
  endedAt: 'ended_at',
  nextActionAt: 'next_action_at',
} as const

/** The columns of the refund `r`, each by its name in `Refund`. */
const refundColumns = [
  ...Object.entries(plain).map(([name, column]) => `r.${column} AS "${name}"`),
  ...Object.entries(times).map(([name, column]) => `${micros(`r.${column}`)} AS "${name}"`),
].join(', ')

/** A row of `refundColumns`: `pg` gives a bigint as text, and JSON as a number. */
export type RefundRow = Omit<Refund, 'minor'> & { readonly minor: string | number }

/** The new values of a refund, in the form that the saving statement reads. */
export function refundCourseOf({ id, ...course }: RefundCourse & { readonly id: string }) {
  const { status, decidedBy, providerRequestId, providerCode } = course
  const { closing, closingAskedBy, closedBy } = course
  return {
    ...{ id, status, decidedBy, providerRequestId, providerCode },
    ...{ closing, closingAskedBy, closedBy },
    decidedAt: timestamp(course.decidedAt),
    submittedAt: timestamp(course.submittedAt),
    endedAt: timestamp(course.endedAt),
    nextActionAt: timestamp(course.nextActionAt),
  }
}

/** What a command is about: a refund, or the refund of a stored message. */
export type AboutRefund = { readonly refundId: string } | { readonly messageId: string }

/** The receipts of the refunds $1 and of the messages $2. */
const requestedReceipt = `asked AS MATERIALIZED (
      SELECT DISTINCT r.provider, r.receipt FROM refunds r
      WHERE r.id = ANY (ARRAY (
        SELECT unnest($1::text[]) UNION ALL SELECT m.refund_id FROM provider_messages m WHERE m.id = ANY ($2::text[])
      ))
    )`

/** Locks in the order of all transactions: the checkouts, then the receipts. */
const lockReceipts: Statement = {
  name: 'lock_refund_receipts',
  text: `
    WITH ${requestedReceipt}, held AS MATERIALIZED (
      SELECT c.id FROM checkouts c WHERE c.id = ANY (ARRAY (
        SELECT i.checkout_id FROM asked
        JOIN intents i ON i.receipt = asked.receipt AND $3::jsonb ->> i.rail = asked.provider
      )) ORDER BY c.id FOR NO KEY UPDATE
    ), waited AS MATERIALIZED (
      SELECT pg_advisory_xact_lock(hashtextextended('receipt:' || provider || ':' || receipt, 0))
      FROM (
        SELECT provider, receipt FROM asked WHERE (SELECT count(*) FROM held) >= 0 ORDER BY provider, receipt OFFSET 0
      ) ordered
    )
    SELECT held.id FROM held WHERE (SELECT count(*) FROM waited) >= 0`,
}

/** Locks what is locked after the receipts: their refunds, the wallets that have their money, and their intents. */
const lockRows: Statement = {
  name: 'lock_refunds',
  text: `
    WITH ${requestedReceipt}, held AS MATERIALIZED (
      SELECT r.id FROM refunds r JOIN asked ON asked.provider = r.provider AND asked.receipt = r.receipt
      ORDER BY r.id FOR NO KEY UPDATE OF r
    ), wallet AS MATERIALIZED (
      SELECT w.account_id FROM wallets w WHERE w.account_id = ANY (ARRAY (
        SELECT substr(money.holder, 8) FROM asked, money_of(asked.provider || ':' || asked.receipt) money
        WHERE money.holder LIKE 'wallet:%' AND (SELECT count(*) FROM held) >= 0
      )) ORDER BY w.account_id FOR NO KEY UPDATE
    )
    SELECT i.id FROM intents i WHERE i.id = ANY (ARRAY (
      SELECT found.id FROM asked
      JOIN intents found ON found.receipt = asked.receipt AND $3::jsonb ->> found.rail = asked.provider
      WHERE (SELECT count(*) FROM wallet) >= 0
    )) ORDER BY i.id FOR NO KEY UPDATE`,
}

const load: Statement = {
  name: 'load_refunds',
  text: `
    SELECT item.place::int - 1 AS place, ${micros('(SELECT clock_timestamp())')} AS now, about.id AS "refundId",
      m.id AS "messageId", m.kind, m.source_known AS "isSourceKnown", m.result, m.strength,
      ${micros('m.received_at')} AS "receivedAt",
      money.holder, money.minor AS "moneyMinor", fee_of(about.provider || ':' || about.receipt) AS "feeMinor",
      balance_of(money.holder) AS "holderMinor",
      (SELECT jsonb_agg(to_jsonb(one)) FROM (
        SELECT ${refundColumns} FROM refunds r WHERE r.provider = about.provider AND r.receipt = about.receipt
      ) one) AS refunds,
      (SELECT jsonb_agg(to_jsonb(one) ORDER BY one.id) FROM (
        SELECT ${intentColumns} FROM intents i
        WHERE i.receipt = about.receipt AND $3::jsonb ->> i.rail = about.provider
      ) one) AS intents
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY item (refund_id, message_id, place)
    LEFT JOIN provider_messages m ON m.id = item.message_id
    JOIN refunds about ON about.id = coalesce(item.refund_id, m.refund_id)
    LEFT JOIN LATERAL money_of(about.provider || ':' || about.receipt) money ON true`,
}

/** The statements of one batch, for the tests of their plans. */
export const refundStatements = { lockReceipts, lockRows, load }

interface Row extends Omit<NonNullable<RefundState['message']>, 'id'> {
  readonly place: number
  readonly now: number
  readonly refundId: string
  readonly messageId: string | null
  readonly holder: string | null
  readonly moneyMinor: string | null
  readonly feeMinor: string
  readonly holderMinor: string
  readonly refunds: readonly RefundRow[]
  readonly intents: readonly IntentRow[] | null
}

const providers = JSON.stringify(providerOf)

/**
 * Locks and reads what commands about refunds are about, in their order; undefined for one that is about no refund.
 * Waits for its locks, taken in the order of all transactions. Each statement sees what was committed while the one
 * before waited.
 */
export async function loadRefunds(
  transaction: Transaction,
  commands: readonly AboutRefund[],
): Promise<(RefundState | undefined)[]> {
  const about = [
    commands.map((one) => ('refundId' in one ? one.refundId : null)),
    commands.map((one) => ('messageId' in one ? one.messageId : null)),
    providers,
  ]
  const checkouts = await transaction.query<{ id: string }>(lockReceipts, about)
  await transaction.query(lockRows, about)
  const rows = await transaction.query<Row>(load, about)
  const locked = new Set(checkouts.map(({ id }) => id))
  const isLocked = rows
    .flatMap(({ intents }) => intents ?? [])
    .every(({ checkoutId }) => checkoutId === null || locked.has(checkoutId))
  if (!isLocked) throw new Stale('the receipt was given to another checkout')
  const states = new Map(rows.map((row) => [row.place, read(row)]))
  return commands.map((_, place) => states.get(place))
}

function read(row: Row): RefundState {
  const { messageId, kind, isSourceKnown, result, strength, receivedAt, holder, moneyMinor } = row
  const refunds = row.refunds.map((refund) => ({ ...refund, minor: BigInt(refund.minor) }))
  const refund = refunds.find(({ id }) => id === row.refundId)
  if (refund === undefined) throw new Error(`the refund ${row.refundId} was not loaded`)
  return {
    now: row.now,
    refund,
    others: refunds.filter((one) => one !== refund),
    money:
      moneyMinor === null
        ? undefined
        : {
            holder,
            minor: BigInt(moneyMinor),
            feeMinor: BigInt(row.feeMinor),
            holderMinor: BigInt(row.holderMinor),
          },
    intents: (row.intents ?? []).map(readIntent),
    message:
      messageId === null
        ? undefined
        : { id: messageId, kind, isSourceKnown, result, strength, receivedAt },
  }
}
