import type { OperatorsState } from '../rules/operator'
import type { Database } from '../../database/database'
import { micros, type Statement, type Transaction } from '../../database/transaction'

/** An operator who acts, and has proven who they are. */
export interface ActingOperator {
  readonly operatorId: string
  readonly name: string
}

/** Undefined for a key that may not act: not enrolled yet, retired, or unknown. */
export async function findOperator(
  db: Database,
  operatorId: string,
): Promise<{ readonly name: string; readonly publicKey: Buffer } | undefined> {
  const found = await db.operator.findUnique({
    where: { id: operatorId, enrolledAt: { not: null }, retiredAt: null },
    select: { name: true, publicKey: true },
  })
  if (found?.publicKey == null) return undefined
  return { name: found.name, publicKey: Buffer.from(found.publicKey) }
}

/** Makes enrollments and retirements wait for each other, so that two at once neither make a third founder nor leave one operator. */
const lockOperators: Statement = {
  name: 'lock_operators',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('operators', 0))`,
}

const load: Statement = {
  name: 'load_operators',
  text: `
    SELECT ${micros('clock_timestamp()')} AS now,
      (SELECT coalesce(jsonb_agg(to_jsonb(one)), '[]') FROM (
        SELECT id, name, coalesce(subject, name) AS subject, founder, asked_by AS "askedBy", ${micros('enrolled_at')} AS "enrolledAt",
          retirement_asked_by AS "retirementAskedBy", ${micros('retired_at')} AS "retiredAt"
        FROM operators WHERE public_key IS NOT NULL
      ) one) AS operators`,
}

/** Locks and reads all operators; there are few. */
export async function loadOperators(transaction: Transaction): Promise<OperatorsState> {
  const [, [state]] = await Promise.all([
    transaction.query(lockOperators, []),
    transaction.query<OperatorsState>(load, []),
  ])
  if (state === undefined) throw new Error('the operators were not loaded')
  return state
}

export interface ListedOperator extends ActingOperator {
  readonly subject: string
  readonly status: 'asked' | 'enrolled' | 'retiring' | 'retired'
  readonly askedBy: string | null
  readonly enrolledBy: string | null
  readonly retirementAskedBy: string | null
  readonly retiredBy: string | null
}

/** The most operators of one answer, which has to fit in a message of 64 KB. No company has nearly as many. */
const listMax = 200

/** The operators with a key, the oldest first, at most `listMax`. */
export async function listOperators(db: Database): Promise<ListedOperator[]> {
  return db.$queryRaw<ListedOperator[]>`
    SELECT o.id AS "operatorId", o.name, coalesce(o.subject, o.name) AS subject,
      CASE WHEN o.retired_at IS NOT NULL THEN 'retired' WHEN o.retirement_asked_by IS NOT NULL THEN 'retiring'
        WHEN o.enrolled_at IS NOT NULL THEN 'enrolled' ELSE 'asked' END AS status,
      asker.name AS "askedBy", enroller.name AS "enrolledBy",
      retirement.name AS "retirementAskedBy", retirer.name AS "retiredBy"
    FROM operators o
    LEFT JOIN operators asker ON asker.id = o.asked_by
    LEFT JOIN operators enroller ON enroller.id = o.enrolled_by
    LEFT JOIN operators retirement ON retirement.id = o.retirement_asked_by
    LEFT JOIN operators retirer ON retirer.id = o.retired_by
    WHERE o.public_key IS NOT NULL
    ORDER BY o.asked_at, o.id LIMIT ${listMax}`
}
