import type { Pool } from 'pg'
import { type IntentStatus, intentStatuses } from '../rules/intent'
import {
  decideRecordSubmit,
  type RecordedChange,
  type RecordedSubmit,
  type SubmitEnd,
  type SubmitOutcome,
} from '../rules/decide-submit'
import { inTransaction, type Statement } from '../../database/transaction'
import { eventsAreWritten, writingEvents } from '../../webhooks/store/write-events'

export type RecordSubmitCommand = { readonly intentId: string } & SubmitEnd

export interface Recorded {
  /** Undefined for an intent that does not exist. */
  readonly recorded: RecordedSubmit | undefined
}

/** Whether the intent `i` was reported as paid. */
const wasReported = '(i.receipt_wanted OR i.reported_at IS NOT NULL)'

/**
 * Loads, decides and saves in one statement, because the decision depends only on the attempt's status and on whether
 * it was reported as paid. $2 to $6 and $10 are the cells of the decision that change an attempt, by outcome, status
 * and report. A cell is written only while the status is the one that was read; a cell that ends the attempt also needs
 * the report to be as it was read. A cell without an event keeps the stored event, and a stored id of the prompt stays.
 * $8 and $9 are the payment events of the cells, for an unpaid and for a paid checkout. Whether the checkout is paid is
 * looked up only for a cell that has a payment event.
 */
function saving(name: string, { onlyFree = '', pages = '', events = '' }): Statement {
  const text = `
    WITH found AS (
      SELECT n.*, i.status AS before, ${wasReported} AS reported, cell.after, cell.event, cell.is_over, cell.unpaid_event, cell.paid_event,
        (SELECT clock_timestamp()) AS now
      FROM jsonb_to_recordset($1::jsonb) n (
        id TEXT, outcome TEXT, "providerRequestId" TEXT, cause TEXT, "providerCode" TEXT, detail TEXT,
        "sessionId" TEXT, "successIndicator" TEXT
      )
      -- The ids are also given as $7 for the plan: one that was made while a table was small still uses its key.
      JOIN intents i ON i.id = n.id AND i.id = ANY ($7::text[])
      LEFT JOIN unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[], $8::text[], $9::text[], $10::boolean[])
        cell (outcome, before, after, event, is_over, unpaid_event, paid_event, is_reported)
        ON cell.outcome = n.outcome AND cell.before = i.status AND cell.is_reported = ${wasReported}
    ), changed AS (
      UPDATE intents i SET
        status = f.after, event = coalesce(f.event, i.event),
        provider_request_id = coalesce(i.provider_request_id, f."providerRequestId"),
        cause = CASE WHEN f.is_over THEN f.cause ELSE i.cause END,
        provider_code = CASE WHEN f.is_over THEN f."providerCode" ELSE i.provider_code END,
        ended_at = CASE WHEN f.is_over THEN f.now ELSE i.ended_at END,
        deadline_at = CASE WHEN NOT f.is_over THEN i.deadline_at END,
        next_action_at = CASE WHEN NOT f.is_over THEN i.next_action_at END,
        query_at = CASE WHEN NOT f.is_over THEN i.query_at END
      FROM found f
      WHERE i.id = f.id AND i.id = ANY ($7::text[]) AND i.status = f.before AND f.after IS NOT NULL
        AND (NOT f.is_over OR ${wasReported} = f.reported) AND ${eventsAreWritten} ${onlyFree}
      RETURNING i.id, i.checkout_id, f.unpaid_event, f.paid_event
    ), recorded AS (
      SELECT * FROM found f WHERE f.after IS NULL OR EXISTS (SELECT FROM changed WHERE changed.id = f.id)
    ), ended AS (
      UPDATE wire_attempts w SET ended_at = r.now, outcome = r.outcome, detail = r.detail
      FROM recorded r WHERE w.intent_id = r.id AND w.intent_id = ANY ($7::text[]) AND w.ended_at IS NULL
    )${pages}${events}
    SELECT f.id, f.before, f.reported AS "isReported", r.id IS NOT NULL AS "isSaved" FROM found f LEFT JOIN recorded r ON r.id = f.id`
  return { name, text }
}

/** Events of attempts that fail. */
const events = `, ${writingEvents(`(
    SELECT checkout_id, CASE
      WHEN (SELECT true FROM intents paid
        WHERE paid.checkout_id = changed.checkout_id AND paid.disposition = 'merchant' LIMIT 1) THEN paid_event
      ELSE unpaid_event
    END AS type
    FROM changed WHERE num_nonnulls(unpaid_event, paid_event) > 0
  ) e`)}`

const onlyFree = `AND i.id = ANY (ARRAY (
  SELECT free.id FROM intents free WHERE free.id = ANY ($7::text[]) ORDER BY free.id FOR NO KEY UPDATE SKIP LOCKED
))`

/** Stores the page that the card gateway opened. The first one stays: a later one is not stored. */
const pages = `, opened AS (
  UPDATE card_sessions s SET session_id = r."sessionId", success_indicator = r."successIndicator"
  FROM recorded r
  WHERE s.intent_id = r.id AND s.intent_id = ANY ($7::text[]) AND r."sessionId" IS NOT NULL AND s.session_id IS NULL
)`

function locking(name: string, whatIsHeld: '' | 'SKIP LOCKED'): Statement {
  const text = `
    SELECT i.id FROM intents i
    LEFT JOIN LATERAL (
      SELECT c.id FROM checkouts c WHERE c.id = i.checkout_id FOR NO KEY UPDATE ${whatIsHeld}
    ) c ON true
    WHERE i.id = ANY ($1::text[]) AND (i.checkout_id IS NULL OR c.id IS NOT NULL)`
  return { name, text }
}

/** The statements by whether they wait: a batch of one waits for its lock, and a larger batch skips what is locked. */
export const recordSubmitStatements = {
  lock: locking('lock_record_submit', ''),
  lockFree: locking('lock_free_record_submit', 'SKIP LOCKED'),
  save: saving('save_record_submit', {}),
  saveFree: saving('save_free_record_submit', { onlyFree }),
  savePages: saving('save_pages_record_submit', { pages }),
  saveFreePages: saving('save_free_pages_record_submit', { onlyFree, pages }),
  saveEvents: saving('save_events_record_submit', { pages, events }),
  saveFreeEvents: saving('save_free_events_record_submit', { onlyFree, pages, events }),
} as const

/** Returns an answer for each command, in order; undefined where another transaction has locked or changed the attempt. */
export async function recordSubmits(
  pool: Pool,
  commands: readonly RecordSubmitCommand[],
  isWaiting: boolean,
): Promise<(Recorded | undefined)[]> {
  const first = new Map<string, RecordSubmitCommand>()
  for (const command of commands) {
    if (!first.has(command.intentId)) first.set(command.intentId, command)
  }
  const given = Array.from(first.values())
  const { tried, rows } = given.some(mayFail)
    ? await saveLocked(pool, given, isWaiting)
    : { tried: new Set(given), rows: await save(pool, given, isWaiting) }
  const found = new Map(rows.map((row) => [row.id, row]))
  return commands.map((command) => {
    if (!tried.has(command)) return undefined
    const row = found.get(command.intentId)
    if (row === undefined) return { recorded: undefined }
    if (!row.isSaved) return undefined
    const { before: status, isReported } = row
    return { recorded: decideRecordSubmit({ status, isReported }, command.outcome) }
  })
}

interface Found {
  readonly id: string
  /** The status that was decided on. */
  readonly before: IntentStatus
  readonly isReported: boolean
  readonly isSaved: boolean
}

async function save(
  pool: Pool,
  given: readonly RecordSubmitCommand[],
  isWaiting: boolean,
): Promise<Found[]> {
  const values = recordSubmitValues(given)
  return (await pool.query<Found>({ ...statementOf(given, isWaiting), values })).rows
}

/**
 * Saves behind the locks of the checkouts: which event a failing attempt has depends on money that may be posted for
 * its checkout at this moment. A batch tries only the attempts that it could lock.
 */
async function saveLocked(
  pool: Pool,
  given: readonly RecordSubmitCommand[],
  isWaiting: boolean,
): Promise<{ readonly tried: ReadonlySet<RecordSubmitCommand>; readonly rows: Found[] }> {
  const { lock, lockFree, saveEvents, saveFreeEvents } = recordSubmitStatements
  return inTransaction(pool, async (transaction) => {
    const ids = given.map(({ intentId }) => intentId)
    const locked = await transaction.query<{ id: string }>(isWaiting ? lock : lockFree, [ids])
    const free = new Set(locked.map(({ id }) => id))
    const tried = isWaiting ? given : given.filter(({ intentId }) => free.has(intentId))
    const rows = await transaction.commit<Found>(
      isWaiting ? saveEvents : saveFreeEvents,
      recordSubmitValues(tried),
    )
    return { tried: new Set(tried), rows }
  })
}

/** Whether the outcome fails an attempt of some status, and so may write an event. */
function mayFail({ outcome }: RecordSubmitCommand): boolean {
  return changingCells[outcome].some(isEvent)
}

function statementOf(commands: readonly RecordSubmitCommand[], isWaiting: boolean): Statement {
  const { save, saveFree, savePages, saveFreePages } = recordSubmitStatements
  const hasPages = commands.some((one) => one.outcome === 'accepted' && one.opened !== undefined)
  if (hasPages) return isWaiting ? savePages : saveFreePages
  return isWaiting ? save : saveFree
}

export function recordSubmitValues(commands: readonly RecordSubmitCommand[]): unknown[] {
  const cells = Array.from(new Set(commands.map(({ outcome }) => outcome))).flatMap(
    (outcome) => changingCells[outcome],
  )
  return [
    JSON.stringify(commands.map(rowOf)),
    cells.map(({ outcome }) => outcome),
    cells.map(({ before }) => before),
    cells.map(({ after }) => after),
    cells.map(({ event }) => event),
    cells.map(({ isOver }) => isOver),
    commands.map(({ intentId }) => intentId),
    cells.map(({ paymentEvents }) => paymentEvents.unpaid ?? null),
    cells.map(({ paymentEvents }) => paymentEvents.paid ?? null),
    cells.map(({ isReported }) => isReported),
  ]
}

/** The decisions of an outcome that change the attempt, by the status before and whether it was reported as paid. */
const changingCells = {
  accepted: cellsOf('accepted'),
  refused: cellsOf('refused'),
  not_sent: cellsOf('not_sent'),
  unknown: cellsOf('unknown'),
} as const satisfies Record<SubmitOutcome, unknown>

function cellsOf(outcome: SubmitOutcome) {
  const called = intentStatuses.flatMap((status) =>
    [false, true].map((isReported) => ({ status, isReported })),
  )
  return called.flatMap(({ status: before, isReported }) => {
    const { status: after, change } = decideRecordSubmit({ status: before, isReported }, outcome)
    return change === undefined ? [] : [{ outcome, before, isReported, after, ...change }]
  })
}

function isEvent({ paymentEvents: { unpaid, paid } }: RecordedChange): boolean {
  return unpaid !== undefined || paid !== undefined
}

function rowOf(command: RecordSubmitCommand) {
  const { intentId: id, outcome } = command
  switch (command.outcome) {
    case 'accepted':
      return { id, outcome, providerRequestId: command.providerRequestId, ...command.opened }
    case 'refused': {
      const { cause, providerCode } = command
      return { id, outcome, cause, providerCode, detail: providerCode }
    }
    case 'not_sent':
      return { id, outcome, cause: command.cause, detail: command.detail }
    case 'unknown':
      return { id, outcome, detail: command.detail }
  }
}
