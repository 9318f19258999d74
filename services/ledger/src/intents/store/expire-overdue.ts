import type { Pool } from 'pg'
import { decideExpiry, type OverdueState } from '../rules/decide-begin-query'
import {
  retryLostRaces,
  micros,
  timestamp,
  inTransaction,
  type Statement,
} from '../../database/transaction'

/** Loads the intents that are overdue, the longest first, and skips those that another transaction has locked. */
const load: Statement = {
  name: 'load_overdue',
  text: `
    SELECT ${micros('clock_timestamp()')} AS now, i.id, i.status, ${micros('i.deadline_at')} AS "deadlineAt",
      ${micros('i.submitted_at')} AS "submittedAt", i.receipt_wanted AS "receiptWanted"
    FROM intents i WHERE i.deadline_at <= (SELECT clock_timestamp())
    ORDER BY i.deadline_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED`,
}

/** Writes what the load has locked. */
const save: Statement = {
  name: 'save_overdue',
  text: `
    UPDATE intents i SET
      status = n.status, event = n.event, cause = n.cause, ended_at = n.ended_at, deadline_at = NULL,
      query_at = n.query_at, next_action_at = n.query_at
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[])
      n (id, status, event, cause, ended_at, query_at)
    WHERE i.id = n.id`,
}

export const expireOverdueStatements = { load, save } as const

export interface Expiring {
  readonly limit: number
  readonly queryEverySeconds: number
}

/** Ends intents whose deadline has passed, at most `limit` of them, and returns how many there were. */
export async function expireOverdue(pool: Pool, expiring: Expiring): Promise<number> {
  return retryLostRaces(() => expireOnce(pool, expiring))
}

async function expireOnce(pool: Pool, { limit, queryEverySeconds }: Expiring): Promise<number> {
  return inTransaction(pool, async (transaction) => {
    const overdue = await transaction.query<OverdueState>(load, [limit])
    const writes = overdue.flatMap((state) => decideExpiry(state, queryEverySeconds) ?? [])
    if (writes.length > 0) {
      await transaction.commit(save, [
        writes.map(({ id }) => id),
        writes.map(({ status }) => status),
        writes.map(({ event }) => event),
        writes.map(({ cause }) => cause),
        writes.map(({ endedAt }) => timestamp(endedAt)),
        writes.map(({ queryAt }) => timestamp(queryAt)),
      ])
    }
    return writes.length
  })
}
