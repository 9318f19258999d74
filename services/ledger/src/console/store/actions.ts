import type { Database } from '../../database/database'
import type { OperatorAction } from '../../journal/store/receipts'

export interface LoggedAction extends OperatorAction {
  readonly action: bigint
  readonly subject: string
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
