import { z } from 'zod'
import { eastAfricanMs, readStatementTime } from './wire'

/** The part of the statement that was asked for. */
export interface StatementSpan {
  readonly fromMs: number
  readonly untilMs: number
}

/** M-PESA's clock and ours may differ by this much. */
const clockMs = 120_000

const rowTime = z.looseObject({ trxDate: z.string() })

/**
 * Returns a row as it came, unless its time is after the requested span: East African times have come with a `Z`
 * (README.md). Then `malipoPaidAt` is added: the time read as East African, or `null` if that is outside the span too.
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
