import type { Pool } from 'pg'
import type { RefundStatus } from '../rules/refund'
import {
  type AskDecided,
  askRefund as decide,
  type AskRefundOutcome,
  type RefundRequest,
} from '../rules/decide-asking'
import type { ReceiptState } from '../rules/state'
import type { Instant } from '../../evidence/rules/state'
import {
  inRetriedTransaction,
  micros,
  timestamp,
  Stale,
  type Statement,
  type Transaction,
} from '../../database/transaction'
import { isSentByWorkers } from './refund-rails'

export async function askRefund(pool: Pool, request: RefundRequest): Promise<AskRefundOutcome> {
  return inRetriedTransaction(pool, async (transaction) => {
    const state = await loadReceipt(transaction, request.subject)
    const { outcome, writes } = decide(state, request)
    if (writes !== undefined) await save(transaction, state.now, writes)
    return outcome
  })
}

const lockReceipt: Statement = {
  name: 'lock_receipt',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('receipt:' || $1, 0))`,
}

/** The subject $1, its provider $2 and its receipt $3. */
const load: Statement = {
  name: 'load_receipt',
  text: `
    SELECT ${micros('clock_timestamp()')} AS now, money.holder, money.minor AS "moneyMinor", fee_of($1) AS "feeMinor",
      ARRAY (SELECT r.status FROM refunds r WHERE r.provider = $2 AND r.receipt = $3) AS refunds,
      ${isSentByWorkers('$2')} AS "isSentByWorkers"
    FROM (SELECT) one LEFT JOIN money_of($1) money ON true`,
}

interface Row {
  readonly now: number
  readonly holder: string | null
  readonly moneyMinor: string | null
  readonly feeMinor: string
  readonly refunds: readonly RefundStatus[]
  readonly isSentByWorkers: boolean
}

/** Reads behind the lock of the receipt, and so sees what was committed while the lock was waited for. */
async function loadReceipt(transaction: Transaction, subject: string): Promise<ReceiptState> {
  await transaction.query(lockReceipt, [subject])
  const [row] = await transaction.query<Row>(load, [subject, ...subject.split(':')])
  if (row === undefined) throw new Error(`the receipt ${subject} was not loaded`)
  const { now, holder, moneyMinor, feeMinor, refunds, isSentByWorkers: isSent } = row
  const money =
    moneyMinor === null
      ? undefined
      : { holder, minor: BigInt(moneyMinor), feeMinor: BigInt(feeMinor) }
  return { now, money, refunds, isSentByWorkers: isSent }
}

/** Keeps the refund $2 and the action $3, at the time $1 of the load. */
const saveRequest: Statement = {
  name: 'save_asked_refund',
  text: `
    WITH asked AS (
      INSERT INTO refunds (id, provider, receipt, minor, sent_by, status, asked_by, asked_at, callback_secret)
      SELECT a.id, split_part(a.subject, ':', 1), split_part(a.subject, ':', 2), a.minor, a."sentBy", a.status,
        a."askedBy", $1, a."callbackSecret"
      FROM jsonb_to_record($2::jsonb) a (
        id TEXT, subject TEXT, minor BIGINT, "sentBy" TEXT, status TEXT, "askedBy" TEXT, "callbackSecret" TEXT
      )
      ON CONFLICT (provider, receipt) WHERE status NOT IN ('failed', 'withdrawn') DO NOTHING
      RETURNING 1
    ), noted AS MATERIALIZED (
      SELECT note_action(a.operator, a.did, a.subject, a.note)
      FROM jsonb_to_record($3::jsonb) a (operator TEXT, did TEXT, subject TEXT, note TEXT)
    )
    SELECT (SELECT count(*) FROM asked)::int AS written, (SELECT count(*) FROM noted)::int AS noted`,
}

/** The statement that saves a request, for tests that plant faults in it. */
export const askRefundStatements = { save: saveRequest } as const

/** Throws `Stale` where another refund of the receipt was asked for since the load. */
async function save(
  transaction: Transaction,
  now: Instant,
  { refund, action }: NonNullable<AskDecided['writes']>,
): Promise<void> {
  const [saved] = await transaction.query<{ written: number }>(saveRequest, [
    timestamp(now),
    JSON.stringify({ ...refund, minor: String(refund.minor) }),
    JSON.stringify(action),
  ])
  if (saved?.written !== 1) throw new Stale('another refund of the receipt was first')
}
