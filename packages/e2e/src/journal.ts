import { Pool } from 'pg'

export interface Transfer {
  readonly event_key: string
  readonly debit: string
  readonly credit: string
  readonly minor: string
  readonly created_at: Date
}

/**
 * Reads the rows of the ledger's database without any service, because a service under test must not vouch for itself.
 */
export interface Journal {
  /** Everything that was ever posted, in order. */
  transfers(): Promise<readonly Transfer[]>
  attemptsUnderWay(): Promise<number>
  /** The account whose wallet was opened first: the demo merchant's. */
  firstAccount(): Promise<string>
  /** The account whose wallet was opened last. */
  lastAccount(): Promise<string>
  /** Moves the time at which a refund was sent back by three days, after which we stop asking its provider about it. */
  letThreeDaysPass(refundId: string): Promise<void>
  close(): Promise<void>
}

export function openJournal(url: string): Journal {
  const pool = new Pool({ connectionString: url, max: 2 })
  // An idle connection of a server that was killed is replaced by the next query.
  pool.on('error', () => undefined)
  return {
    async transfers() {
      const result = await pool.query<Transfer>(
        'SELECT event_key, debit, credit, minor::text, created_at FROM transfers ORDER BY created_at, leg',
      )
      return result.rows
    },
    async attemptsUnderWay() {
      const sql = 'SELECT FROM intents WHERE ended_at IS NULL'
      return (await pool.query(sql)).rowCount ?? 0
    },
    async firstAccount() {
      const sql = 'SELECT account_id FROM wallets ORDER BY opened_at LIMIT 1'
      const result = await pool.query<{ account_id: string }>(sql)
      return result.rows[0]?.account_id ?? ''
    },
    async lastAccount() {
      const sql = 'SELECT account_id FROM wallets ORDER BY opened_at DESC LIMIT 1'
      const result = await pool.query<{ account_id: string }>(sql)
      return result.rows[0]?.account_id ?? ''
    },
    async letThreeDaysPass(refundId) {
      await pool.query(
        `UPDATE refunds SET submitted_at = submitted_at - interval '73 hours', next_action_at = now() WHERE id = $1`,
        [refundId],
      )
    },
    close: () => pool.end(),
  }
}
