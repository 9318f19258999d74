import type { Pool } from 'pg'
import {
  decideEnrollment as decide,
  type DecideEnrollmentOutcome,
  type EnrollmentRequest,
  enrollOperator as decideEnrolling,
  type EnrollOutcome,
  type OperatorDecision,
} from '../rules/decide-enrollment'
import { inRetriedTransaction, timestamp, Stale, type Statement } from '../../database/transaction'
import { loadOperators } from './operators'

/**
 * Stores the key $1 of the person $10, and then the action $9 of the operator $8. The key comes first, because for a
 * founder the operator who acts is the key itself.
 */
const saveKey: Statement = {
  name: 'save_operator',
  text: `
    WITH kept AS (
      INSERT INTO operators (id, name, public_key, founder, asked_by, asked_at, enrolled_at, subject)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $10)
      RETURNING 1
    )
    SELECT note_action($8, $9, $1, $2) FROM kept`,
}

export async function enrollOperator(
  pool: Pool,
  key: EnrollmentRequest & { readonly publicKey: Buffer },
): Promise<EnrollOutcome> {
  return inRetriedTransaction(pool, async (transaction) => {
    const state = await loadOperators(transaction)
    const { applied, writes } = decideEnrolling(state, key)
    if (writes !== undefined) {
      const { founder, askedBy, enrolledAt, action } = writes
      await transaction.query(saveKey, [
        ...[key.operatorId, key.name, key.publicKey, founder, askedBy],
        ...[timestamp(state.now), timestamp(enrolledAt), action.operator, action.did],
        key.subject,
      ])
    }
    return applied
  })
}

/** Enrols the key $1 by the operator $2 at the time $3, or removes it, while it is not enrolled. */
const saveDecided: Statement = {
  name: 'save_decided_enrollment',
  text: `
    WITH enrolled AS (
      UPDATE operators SET enrolled_by = $2, enrolled_at = $3
      WHERE id = $1 AND enrolled_at IS NULL AND $4 = 'enrolled'
      RETURNING 1
    ), withdrawn AS (
      DELETE FROM operators WHERE id = $1 AND enrolled_at IS NULL AND $4 = 'withdrawn'
      RETURNING 1
    ), decided AS (
      SELECT FROM enrolled UNION ALL SELECT FROM withdrawn
    )
    SELECT note_action($2, $5, $1, $6) FROM decided`,
}

export async function decideEnrollment(
  pool: Pool,
  decision: OperatorDecision,
): Promise<DecideEnrollmentOutcome> {
  return inRetriedTransaction(pool, async (transaction) => {
    const state = await loadOperators(transaction)
    const { applied, writes } = decide(state, decision)
    if (writes !== undefined) {
      const { operator, did, subject, note } = writes.action
      const values = [subject, operator, timestamp(state.now), writes.becomes, did, note]
      const saved = await transaction.query(saveDecided, values)
      if (saved.length !== 1) throw new Stale('the enrollment was decided meanwhile')
    }
    return applied
  })
}
