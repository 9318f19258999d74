import type { Database } from '../../database/database'

export interface LoggedAction {
  readonly action: bigint
  readonly at: Date
  readonly operator: string
  readonly did: string
  readonly subject: string
  readonly note: string
}

/** What was done by hand, newest first. The log is only ever added to. */
export async function listLoggedActions(
  db: Database,
  before: bigint | undefined,
  limit: number,
): Promise<LoggedAction[]> {
  return db.$queryRaw<LoggedAction[]>`
    SELECT action, at, operator_name(operator) AS operator, did, subject, left(note, 500) AS note FROM operator_actions
    WHERE action < ${before ?? 9_223_372_036_854_775_807n}::bigint ORDER BY action DESC LIMIT ${limit}::int`
}
