import type { Pool } from 'pg'
import type { OperatorDecision } from '../rules/decide-enrollment'
import {
  type PendingRequest,
  askRetirement as decideAsking,
  type AskRetirementOutcome,
  decideRetirement as decide,
  type DecideRetirementOutcome,
  type RetirementDecided,
} from '../rules/decide-retirement'
import type { Instant } from '../../evidence/rules/state'
import {
  inRetriedTransaction,
  timestamp,
  Stale,
  type Statement,
  type Transaction,
} from '../../database/transaction'
import { loadOperators } from './operators'

/** Records that the operator $2 asks to retire the operator $1, unless a retirement is asked for already. */
const saveRequest: Statement = {
  name: 'save_asked_retirement',
  text: `
    WITH asked AS (
      UPDATE operators SET retirement_asked_by = $2 WHERE id = $1 AND retirement_asked_by IS NULL RETURNING 1
    )
    SELECT note_action($2, $3, $1, $4) FROM asked`,
}

export async function askRetirement(
  pool: Pool,
  request: { readonly operatorId: string; readonly by: string },
): Promise<AskRetirementOutcome> {
  return inRetriedTransaction(pool, async (transaction) => {
    const { applied, action } = decideAsking(await loadOperators(transaction), request)
    if (action !== undefined) {
      const { operator, did, subject, note } = action
      const saved = await transaction.query(saveRequest, [subject, operator, did, note])
      if (saved.length !== 1) throw new Stale('the retirement was asked for meanwhile')
    }
    return applied
  })
}

/** Locks the pending requests of the operator $1, in the order in which all transactions lock such rows. */
const lockRequests: Statement = {
  name: 'lock_asked_of_operator',
  text: `
    WITH placement AS MATERIALIZED (
      SELECT FROM placements WHERE asked_by = $1 AND status = 'asked' ORDER BY id FOR NO KEY UPDATE
    ), refund AS MATERIALIZED (
      SELECT FROM refunds
      WHERE (asked_by = $1 AND status = 'asked' OR closing_asked_by = $1 AND closed_by IS NULL)
        AND (SELECT count(*) FROM placement) >= 0
      ORDER BY id FOR NO KEY UPDATE
    ), freezing AS MATERIALIZED (
      SELECT FROM freezings WHERE asked_by = $1 AND status = 'asked' AND (SELECT count(*) FROM refund) >= 0
      ORDER BY id FOR NO KEY UPDATE
    ), report_closing AS MATERIALIZED (
      SELECT FROM report_closings WHERE asked_by = $1 AND status = 'asked' AND (SELECT count(*) FROM freezing) >= 0
      ORDER BY id FOR NO KEY UPDATE
    )
    SELECT FROM report_postings WHERE asked_by = $1 AND status = 'asked' AND (SELECT count(*) FROM report_closing) >= 0
    ORDER BY id FOR NO KEY UPDATE`,
}

/**
 * Waits for requests that the operator makes at this moment: each of them locks its operator's row against this lock.
 */
const lockOperator: Statement = {
  name: 'lock_operator',
  text: 'SELECT FROM operators WHERE id = $1 FOR UPDATE',
}

const loadRequests: Statement = {
  name: 'load_asked_of_operator',
  text: `
    SELECT 'placement' AS kind, id, subject FROM placements WHERE asked_by = $1 AND status = 'asked'
    UNION ALL SELECT 'freezing', id, account_id FROM freezings WHERE asked_by = $1 AND status = 'asked'
    UNION ALL SELECT 'report_closing', id, subject FROM report_closings WHERE asked_by = $1 AND status = 'asked'
    UNION ALL SELECT 'report_posting', id, intent_id FROM report_postings WHERE asked_by = $1 AND status = 'asked'
    UNION ALL SELECT 'refund', id, provider || ':' || receipt FROM refunds WHERE asked_by = $1 AND status = 'asked'
    UNION ALL SELECT 'closing', id, provider || ':' || receipt FROM refunds
      WHERE closing_asked_by = $1 AND closed_by IS NULL`,
}

export async function decideRetirement(
  pool: Pool,
  decision: OperatorDecision,
): Promise<DecideRetirementOutcome> {
  const { operatorId } = decision
  return inRetriedTransaction(pool, async (transaction) => {
    const [operators, , , requests] = await Promise.all([
      loadOperators(transaction),
      transaction.query(lockRequests, [operatorId]),
      transaction.query(lockOperator, [operatorId]),
      transaction.query<PendingRequest>(loadRequests, [operatorId]),
    ])
    const { applied, writes } = decide({ ...operators, requests }, decision)
    if (writes !== undefined) {
      const { operatorId: id, by } = decision
      await save(transaction, { id, by, now: operators.now, writes })
    }
    return applied
  })
}

/**
 * Saves what the operator $2 decided about the operator $1 at $3: whether it is retired ($4), its requests that are
 * withdrawn ($5), and the actions ($6). The actions are noted first, because the operator $2 may be the one who retires,
 * and a retired operator cannot act.
 */
const saveDecided: Statement = {
  name: 'save_decided_retirement',
  text: `
    WITH asked AS MATERIALIZED (
      SELECT kind, id FROM jsonb_to_recordset($5::jsonb) a (kind TEXT, id TEXT)
    ), noted AS MATERIALIZED (
      SELECT note_action(a.operator, a.did, a.subject, a.note)
      FROM jsonb_to_recordset($6::jsonb) a (operator TEXT, did TEXT, subject TEXT, note TEXT)
    ), placement AS (
      UPDATE placements SET status = 'withdrawn', decided_by = $2, decided_at = $3
      WHERE id = ANY (ARRAY (SELECT a.id FROM asked a WHERE a.kind = 'placement')) AND status = 'asked'
      RETURNING 1
    ), freezing AS (
      UPDATE freezings SET status = 'withdrawn', decided_by = $2, decided_at = $3
      WHERE id = ANY (ARRAY (SELECT a.id FROM asked a WHERE a.kind = 'freezing')) AND status = 'asked'
      RETURNING 1
    ), report_closing AS (
      UPDATE report_closings SET status = 'withdrawn', decided_by = $2, decided_at = $3
      WHERE id = ANY (ARRAY (SELECT a.id FROM asked a WHERE a.kind = 'report_closing')) AND status = 'asked'
      RETURNING 1
    ), report_posting AS (
      UPDATE report_postings SET status = 'withdrawn', decided_by = $2, decided_at = $3
      WHERE id = ANY (ARRAY (SELECT a.id FROM asked a WHERE a.kind = 'report_posting')) AND status = 'asked'
      RETURNING 1
    ), refund AS (
      UPDATE refunds SET status = 'withdrawn', decided_by = $2, decided_at = $3, ended_at = $3, next_action_at = NULL
      WHERE id = ANY (ARRAY (SELECT a.id FROM asked a WHERE a.kind = 'refund')) AND status = 'asked'
      RETURNING 1
    ), closing AS (
      UPDATE refunds SET closing = NULL, closing_asked_by = NULL
      WHERE id = ANY (ARRAY (SELECT a.id FROM asked a WHERE a.kind = 'closing')) AND closed_by IS NULL
      RETURNING 1
    ), enrollment AS (
      DELETE FROM operators
      WHERE id = ANY (ARRAY (SELECT a.id FROM asked a WHERE a.kind = 'enrollment')) AND enrolled_at IS NULL
      RETURNING 1
    ), retirement AS (
      UPDATE operators SET retirement_asked_by = NULL
      WHERE id = ANY (ARRAY (SELECT a.id FROM asked a WHERE a.kind = 'retirement')) AND retired_at IS NULL
      RETURNING 1
    ), decided AS (
      UPDATE operators SET
        retirement_asked_by = CASE WHEN $4 THEN retirement_asked_by END,
        retired_by = CASE WHEN $4 THEN $2 END, retired_at = CASE WHEN $4 THEN $3::timestamptz END
      WHERE id = $1 AND retirement_asked_by IS NOT NULL AND retired_at IS NULL
        AND (SELECT count(*) FROM noted) >= 0
      RETURNING 1
    ), withdrawn AS (
      SELECT FROM placement UNION ALL SELECT FROM freezing UNION ALL SELECT FROM report_closing
      UNION ALL SELECT FROM report_posting UNION ALL SELECT FROM refund UNION ALL SELECT FROM closing
      UNION ALL SELECT FROM enrollment UNION ALL SELECT FROM retirement
    )
    SELECT (SELECT count(*) FROM decided)::int AS decided, (SELECT count(*) FROM withdrawn)::int AS withdrawn`,
}

interface Decided {
  readonly id: string
  readonly by: string
  readonly now: Instant
  readonly writes: NonNullable<RetirementDecided['writes']>
}

/** Throws `Stale` where another operator decided the retirement, or a request that it withdraws, since the load. */
async function save(transaction: Transaction, { id, by, now, writes }: Decided): Promise<void> {
  const { becomes, withdrawn, actions } = writes
  const [saved] = await transaction.query<{ decided: number; withdrawn: number }>(saveDecided, [
    ...[id, by, timestamp(now), becomes === 'retired'],
    ...[JSON.stringify(withdrawn), JSON.stringify(actions)],
  ])
  const isSaved = saved?.decided === 1 && saved.withdrawn === withdrawn.length
  if (!isSaved) throw new Stale('what the operator asked for was decided meanwhile')
}
