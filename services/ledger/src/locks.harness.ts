import { eventually } from '@malipo/testing/eventually'
import type { TestLedger } from './ledger.harness'

/** A row that another transaction has locked, until `letGo`. */
export interface Held {
  /** Waits until `count` statements of the database wait for a lock. */
  untilWaiting(count: number): Promise<void>
  letGo(): Promise<void>
}

export async function hold(
  { database }: TestLedger,
  table: 'checkouts' | 'intents' | 'refunds' | 'webhook_endpoints',
  id: string,
): Promise<Held> {
  const client = await database.pool.connect()
  await client.query('BEGIN')
  // An INSERT that refers to the endpoint waits only for a lock that its deletion would take.
  const mode = table === 'webhook_endpoints' ? 'FOR UPDATE' : 'FOR NO KEY UPDATE'
  await client.query(`SELECT FROM ${table} WHERE id = $1 ${mode}`, [id])
  return {
    async untilWaiting(count) {
      await eventually(`${String(count)} wait`, async () => {
        const { rowCount } = await database.pool.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
        return rowCount === count
      })
    },
    async letGo() {
      await client.query('COMMIT')
      client.release()
    },
  }
}

/**
 * Runs `act` while another transaction has run `sql` and not committed, then commits it. Returns the answer of `act`.
 */
export async function meanwhile<Answer>(
  { database }: TestLedger,
  [sql, values]: readonly [string, unknown[]],
  act: () => Promise<Answer>,
): Promise<Answer> {
  const other = await database.pool.connect()
  const race = async () => {
    await other.query('BEGIN')
    await other.query(sql, values)
    const answer = act()
    answer.catch(() => undefined)
    await eventually('it waits for the other', async () => {
      const { rows } = await database.pool.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      return rows.length > 0
    })
    await other.query('COMMIT')
    return answer
  }
  return race().finally(() => {
    other.release(true)
  })
}
