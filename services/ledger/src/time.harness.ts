import type { TestDatabase } from '@malipo/testing/database'

/**
 * The columns that `letPass` moves, by table. All other times stay, such as those of transfers, refunds and wallets.
 */
const moments = {
  checkouts: ['created_at', 'expires_at'],
  intents: [
    'created_at',
    'submitted_at',
    'ended_at',
    'deadline_at',
    'queued_at',
    'next_action_at',
    'query_at',
    'asked_at',
    'denied_at',
    'settled_at',
    'reported_at',
    'held_until',
  ],
  payment_reports: ['reported_at', 'alarmed_at'],
  wire_attempts: ['began_at', 'ended_at'],
  card_sessions: ['expires_at'],
  provider_messages: ['received_at', 'next_action_at', 'applied_at'],
  idempotency_keys: ['created_at'],
  intent_steps: ['at'],
  wanted_payees: ['next_action_at'],
  pay_bill_reports: ['reported_at', 'held_until'],
  checkout_expiries: ['look_at'],
  audit_marks: ['held_until'],
  worker_refund_rails: ['named_at'],
  console_records: ['expires_at', 'ends_at'],
  webhook_endpoints: ['off_at', 'failing_since'],
  webhook_events: ['created_at'],
  webhook_deliveries: ['created_at', 'next_action_at', 'leased_until', 'attempted_at'],
} as const

/**
 * Lets time pass in a database: the clock stays, and the stored times of `moments` move into the past instead. Triggers
 * are off for this change, because they refuse to change history.
 */
export async function letPass(database: TestDatabase, seconds: number): Promise<void> {
  await past(database, async (query) => {
    for (const [table, columns] of Object.entries(moments)) {
      const shifts = columns.map((column) => `${column} = ${column} - make_interval(secs => $1)`)
      await query(`UPDATE ${table} SET ${shifts.join(', ')}`, [seconds])
    }
  })
}

/** Makes a change that the triggers would refuse, with the triggers off. */
export async function past(
  database: TestDatabase,
  change: (query: (sql: string, values?: unknown[]) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const client = await database.pool.connect()
  await client.query('BEGIN')
  await client.query('SET LOCAL session_replication_role = replica')
  await change((sql, values = []) => client.query(sql, values))
  await client.query('COMMIT')
  client.release()
}

/**
 * Makes every insert into a table take 20 ms, so that calls at one moment do wait for each other's locks: on a fast
 * machine each call would end before the next one begins.
 */
export async function slowDown(database: TestDatabase, table: string): Promise<void> {
  await database.pool.query(`
    CREATE OR REPLACE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_sleep(0.02); RETURN NEW; END $$;
    CREATE TRIGGER dawdle BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION dawdle()`)
}
