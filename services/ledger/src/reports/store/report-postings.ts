import type { Pool } from 'pg'
import type { Rail } from '@malipo/kernel/countries'
import {
  inRetriedTransaction,
  Stale,
  type Statement,
  type Transaction,
} from '../../database/transaction'
import type { Instant } from '../../evidence/rules/state'
import { parts, rare, rareParts, saveWhole } from '../../evidence/store/save'
import { providerOf } from '../../journal/rules/postings'
import type { Decision } from '../../refunds/rules/decide-by-hand'
import {
  askReportPosting as decideAsking,
  type AskReportPostingOutcome,
  decideReportPosting as decide,
  type DecideReportPostingOutcome,
  type ReportPosting,
  type ReportPostingDecided,
  type ReportPostingRequest,
} from '../rules/decide-report-posting'
import { loadPosting } from './load-posting'

const saveRequest: Statement = {
  name: 'save_asked_report_posting',
  text: `
    WITH asked AS (
      INSERT INTO report_postings (id, intent_id, receipt, minor, status, asked_by, asked_at)
      VALUES ($1, $2, $3, $4, 'asked', $5, clock_timestamp())
      ON CONFLICT (intent_id) WHERE status IN ('asked', 'posted') DO NOTHING
      RETURNING 1
    )
    SELECT note_action($5, $6, $2, $7) FROM asked`,
}

/** Asks to post the money of an attempt. An attempt has one posting that is open or agreed to. */
export async function askReportPosting(
  pool: Pool,
  request: ReportPostingRequest,
): Promise<AskReportPostingOutcome> {
  const { postingId, intentId, receipt, minor } = request
  return inRetriedTransaction(pool, async (transaction) => {
    const state = await loadPosting(transaction, intentId, receipt)
    const { outcome, action } = decideAsking(state, request)
    if (action !== undefined) {
      const { operator, did, note } = action
      const values = [postingId, intentId, receipt, minor, operator, did, note]
      const saved = await transaction.query(saveRequest, values)
      if (saved.length !== 1) throw new Stale('another posting of the attempt was first')
    }
    return outcome
  })
}

const postingColumns = `p.id, p.intent_id AS "intentId", p.receipt, p.minor, p.status, p.asked_by AS "askedBy"`

const find: Statement = {
  name: 'find_report_posting',
  text: `
    SELECT ${postingColumns}, i.rail FROM report_postings p JOIN intents i ON i.id = p.intent_id WHERE p.id = $1`,
}

/** Locks the checkout before the intent, as everywhere, so that two transactions do not deadlock. */
const lockIntent: Statement = {
  name: 'lock_intent_to_post',
  text: `
    WITH held AS MATERIALIZED (
      SELECT c.id FROM checkouts c WHERE c.id = (SELECT checkout_id FROM intents WHERE id = $1) FOR NO KEY UPDATE
    )
    SELECT FROM intents i WHERE i.id = $1 AND (SELECT count(*) FROM held) >= 0 FOR NO KEY UPDATE`,
}

const lockReceipt: Statement = {
  name: 'lock_receipt_to_post',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('receipt:' || $1, 0))`,
}

const lockPosting: Statement = {
  name: 'lock_report_posting',
  text: `SELECT ${postingColumns} FROM report_postings p WHERE p.id = $1 FOR NO KEY UPDATE`,
}

type PostingRow = Omit<ReportPosting, 'minor'> & { readonly minor: string }

const read = ({ minor, ...row }: PostingRow): ReportPosting => ({ ...row, minor: BigInt(minor) })

interface PostingAnswer {
  readonly outcome: DecideReportPostingOutcome | 'posting_not_found'
  /** The intent that the posting is about. */
  readonly intentId?: string
}

export async function decideReportPosting(
  pool: Pool,
  { postingId, ...decision }: Decision & { readonly postingId: string; readonly messageId: string },
): Promise<PostingAnswer> {
  return inRetriedTransaction<PostingAnswer>(pool, async (transaction) => {
    const [found] = await transaction.query<PostingRow & { readonly rail: Rail }>(find, [postingId])
    if (found === undefined) return { outcome: 'posting_not_found' }
    const { intentId, receipt, rail } = found
    await transaction.query(lockIntent, [intentId])
    await transaction.query(lockReceipt, [`${providerOf[rail]}:${receipt}`])
    const [locked = found] = await transaction.query<PostingRow>(lockPosting, [postingId])
    const state = await loadPosting(transaction, intentId, receipt)
    if (state === undefined) throw new Error(`the attempt ${intentId} was not loaded`)
    const { outcome, writes } = decide(state, read(locked), decision)
    if (writes !== undefined) {
      await save(transaction, { now: state.now, posting: found, writes })
    }
    return { outcome, intentId }
  })
}

/**
 * Saves a settlement with the decided posting and the act. Its message, of the kind `operator`, is what two operators
 * have read in the provider's portal.
 */
const saveDecided: Statement = {
  name: 'save_decided_report_posting',
  text: `
    WITH ${parts.posted}, ${parts.changed}, ${rareParts}, ${parts.applied}, decided AS (
      UPDATE report_postings p SET status = d.status, decided_by = $8, decided_at = $1
      FROM (SELECT $6::text AS id, $7::text AS status) d
      WHERE p.id = d.id AND p.status = 'asked'
      RETURNING p.intent_id, p.receipt, p.minor
    ), seen AS (
      INSERT INTO provider_messages (
        id, intent_id, rail, kind, body, source_address, source_known, received_at, is_bound,
        fact, strength, result, receipt, applied_at
      )
      SELECT m.id, i.id, i.rail, 'operator',
        convert_to(jsonb_build_object('posting', $6::text, 'receipt', d.receipt, 'minor', d.minor::text)::text, 'UTF8'),
        '', true, $1, true, m.fact, m.strength, m.result, m.receipt, $1
      FROM jsonb_to_record($4::jsonb -> 'message') m (id TEXT, fact TEXT, strength TEXT, result TEXT, receipt TEXT)
      CROSS JOIN decided d JOIN intents i ON i.id = d.intent_id
      WHERE m.id IS NOT NULL
      RETURNING 1
    ), noted AS MATERIALIZED (
      SELECT note_action($8, $9, d.intent_id, $10) FROM decided d
    )
    SELECT (SELECT count(*) FROM posted)::int AS posted, (SELECT count(*) FROM applied)::int AS applied, ${parts.notified},
      (SELECT count(*) FROM seen)::int + (SELECT count(*) FROM noted)::int AS kept`,
}

interface DecidedPosting {
  readonly now: Instant
  readonly posting: { readonly id: string }
  readonly writes: NonNullable<ReportPostingDecided['writes']>
}

/** Throws `Stale` where the posting was decided, or the receipt posted, since the load. */
async function save(
  transaction: Transaction,
  { now, posting: { id }, writes: { status, action, settlement } }: DecidedPosting,
): Promise<void> {
  const all = settlement === undefined ? [] : [settlement]
  await saveWhole(transaction, now, {
    statement: saveDecided,
    transfers: all.flatMap(({ transfers }) => transfers),
    intents: all.flatMap(({ intent }) => intent ?? []),
    paymentEvents: all.flatMap(({ paymentEvent }) => paymentEvent ?? []),
    others: { ...rare(all), message: settlement?.message },
    messages: [],
    kept: { count: 1 + all.length, values: [id, status, action.operator, action.did, action.note] },
  })
}
