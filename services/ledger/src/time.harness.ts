import type { TestDatabase } from '@malipo/testing/database'

/** Every moment that the ledger keeps and compares with its clock. */
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
  console_records: ['expires_at', 'ends_at'],
  webhook_endpoints: ['off_at', 'failing_since'],
  webhook_events: ['created_at'],
  webhook_deliveries: ['created_at', 'next_action_at', 'leased_until', 'attempted_at'],
} as const

/**
 * Lets time pass for everything in a database. Its clock cannot be turned, and what matters is only how long ago
 * things were, so all that has happened and is due moves into the past. Triggers are off meanwhile: this is not a
 * change that they are there to refuse.
 */
export async function letPass(database: TestDatabase, seconds: number): Promise<void> {
  await past(database, async (query) => {
    for (const [table, columns] of Object.entries(moments)) {
      const shifts = columns.map((column) => `${column} = ${column} - make_interval(secs => $1)`)
      await query(`UPDATE ${table} SET ${shifts.join(', ')}`, [seconds])
    }
  })
}

/** Breaks what the triggers keep, to see who notices. */
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
 * Makes every insert into a table take 20 ms, so that calls at one moment meet where a lock has to keep them apart:
 * on a fast machine they would pass each other by.
 */
export async function slowDown(database: TestDatabase, table: string): Promise<void> {
  await database.pool.query(`
    CREATE OR REPLACE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_sleep(0.02); RETURN NEW; END $$;
    CREATE TRIGGER dawdle BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION dawdle()`)
}
