import { z } from 'zod'
import { eastAfricanMs, readStatementTime } from './wire'

/** The part of the statement that was asked for. */
export interface StatementSpan {
  readonly fromMs: number
  readonly untilMs: number
}

/** Their clock and ours differ by seconds. */
const clockMs = 120_000

const rowTime = z.looseObject({ trxDate: z.string() })

/**
 * The row as it came, unless its time is of the future: East African digits have come with a `Z` (README.md). Taken as
 * such they fit what was asked for, and that reading is put beside them, or `null` where they do not fit either way.
 */
export function inTime(row: unknown, { fromMs, untilMs }: StatementSpan): unknown {
  const parsed = rowTime.safeParse(row)
  if (!parsed.success) return row
  const { trxDate } = parsed.data
  const writtenMs = readStatementTime(trxDate)?.getTime() ?? 0
  if (writtenMs <= untilMs + clockMs) return row
  const paidMs = writtenMs - eastAfricanMs
  const isFitting =
    trxDate.endsWith('Z') && paidMs >= fromMs - clockMs && paidMs <= untilMs + clockMs
  return { ...parsed.data, malipoPaidAt: isFitting ? new Date(paidMs).toISOString() : null }
}
