import type { PoolClient } from 'pg'
import { openImpatient } from '@malipo/runtime/waits.harness'
import { eventually } from '@malipo/testing/eventually'
import { ledgerOfFile } from './ledger.harness'
import { insist, present } from './payments.harness'

const at = ledgerOfFile()

/** Locks the row of a checkout until `letGo`. */
async function hold(checkoutId: string): Promise<PoolClient> {
  const holder = await at.database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM checkouts WHERE id = $1 FOR UPDATE', [checkoutId])
  return holder
}

async function letGo(holder: PoolClient): Promise<void> {
  await holder.query('ROLLBACK')
  holder.release()
}

test('says that it lives and is ready, and shows its metrics', async () => {
  const get = async (path: string) => (await fetch(`${at.ledger.adminUrl}${path}`)).status
  expect(await get('/livez')).toBe(200)
  expect(await get('/readyz')).toBe(200)
  expect(await get('/metrics')).toBe(200)
})

test('row 80: refuses calls about a checkout while another transaction locks it, and takes them after', async () => {
  const { checkoutId } = await at.pay.checkout()
  const { pay } = await openImpatient(() => at.another())
  const holder = await hold(checkoutId)
  await expect(pay.start(checkoutId)).rejects.toMatchObject({ reason: 'ledger_unavailable' })
  await letGo(holder)
  const { outcome } = await insist(() => pay.start(checkoutId))
  expect(outcome).toBe('START_OUTCOME_STARTED')
})

test('row 78: refuses calls within a deadline when all connections are taken', async () => {
  const { checkoutId } = await at.pay.checkout()
  const { pay } = await openImpatient(() => at.another())
  const holder = await hold(checkoutId)
  const answers = await Promise.allSettled(Array.from({ length: 100 }, () => pay.start(checkoutId)))
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 'rejected', reason: { reason: 'ledger_unavailable' } })
  }
  await letGo(holder)
  await insist(() => pay.start(checkoutId))
})

test('row 79: repeats what a deadlock rolled back, and the caller sees no error', async () => {
  // The ledger of this test looks for deadlocks sooner than the other transaction, so its transaction is rolled back.
  const { rows } = await at.database.pool.query<{ name: string }>(
    'SELECT current_database() AS name',
  )
  await at.database.pool.query(
    `ALTER DATABASE ${String(rows[0]?.name)} SET deadlock_timeout = '100ms'`,
  )
  const { pay } = await at.another()
  const { checkoutId } = await pay.checkout()
  const attempt = await pay.pending(checkoutId)
  const holder = await at.database.pool.connect()
  await holder.query("BEGIN; SET LOCAL deadlock_timeout = '10s'")
  await holder.query('SELECT 1 FROM intents WHERE id = $1 FOR NO KEY UPDATE', [attempt.intentId])
  const settled = pay.paid(attempt)
  // The loop runs inside the server: the ledger waits a second for a lock, and polling from here may take longer.
  await holder.query(`SET LOCAL statement_timeout = '60s'; DO $$ BEGIN
    -- Waits until the ledger has locked the checkout and waits for the intent.
    WHILE NOT EXISTS (
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
        AND query LIKE '%provider_messages%FOR NO KEY UPDATE%'
    ) LOOP
      PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
    END LOOP;
    -- The forbidden lock order. It returns only when the ledger has been rolled back.
    PERFORM FROM checkouts WHERE id = '${checkoutId}' FOR NO KEY UPDATE;
  END $$`)
  await letGo(holder)
  expect(await settled).toMatchObject({ status: 'INTENT_STATUS_COMPLETED' })
})

test('row 75: refuses while its connections are cut, and goes on with new ones', async () => {
  const { checkoutId } = await at.pay.checkout()
  // The connections of this test are cut with those of the ledger.
  at.database.pool.on('error', () => undefined)
  await at.database.pool.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
  const started = await eventually('it works again', () =>
    at.pay.start(checkoutId).catch(() => undefined),
  )
  expect(present(started.intent).intentId).toMatch(/^pi_/)
})
