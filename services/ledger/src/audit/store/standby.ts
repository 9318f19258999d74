import type { Database } from '../../database/database'

/** Whether a server replays another one, and when the last transaction was committed that it has replayed. */
export async function readStandby(db: Database) {
  const [row] = await db.$queryRaw<[{ isStandby: boolean; replayedUntil: Date | null }]>`
    SELECT pg_is_in_recovery() AS "isStandby", pg_last_xact_replay_timestamp() AS "replayedUntil"`
  return row
}
