import { eventually } from '@malipo/testing/eventually'
import { keysOfFile, startKeys } from '../start.harness'

const { keys, database } = keysOfFile()

/** Adds so many keys that PostgreSQL finds those of a batch by the index, and locks them in the order of the batch. */
async function addManyKeys(): Promise<void> {
  await database.pool.query(
    `INSERT INTO accounts SELECT 'acc_of_' || n, 'ke' FROM generate_series(1, 5000) AS n`,
  )
  await database.pool.query(
    `INSERT INTO keys (key_id, account_id, digest, prefix, last_four, pin_proof)
     SELECT 'key_' || substr(md5(n::text), 1, 24), 'acc_of_' || n, sha256(n::text::bytea), 'mkp_test_', 'AAAA', gen_random_uuid()
     FROM generate_series(1, 5000) AS n`,
  )
  await database.pool.query('ANALYZE keys')
}

async function accountsUsed(): Promise<string[]> {
  const { rows } = await database.pool.query<{ account_id: string }>(
    'SELECT account_id FROM keys WHERE last_used_at IS NOT NULL ORDER BY account_id',
  )
  return rows.map((row) => row.account_id)
}

/** Uses these keys at a new replica and stops it, which makes the replica write their uses in one batch. */
async function useAndStop(secretKeys: readonly string[]): Promise<{ stopped: Promise<void> }> {
  const replica = await startKeys(database)
  for (const secretKey of secretKeys) await replica.verify(secretKey)
  return { stopped: replica.stop() }
}

async function untilWaiting(count: number): Promise<void> {
  await eventually(`${String(count)} statements wait for a lock`, async () => {
    const { rows } = await database.pool.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return rows[0]?.waiting === count
  })
}

test('two replicas that see the same keys used in another order both write them', async () => {
  await addManyKeys()
  const accounts = ['acc_1', 'acc_2', 'acc_3', 'acc_4']
  const made = await Promise.all(accounts.map((account) => keys.create(account)))
  const byId = made.toSorted((a, b) => (String(a.key?.keyId) < String(b.key?.keyId) ? -1 : 1))
  const [one = '', two = '', three = '', four = ''] = byId.map(({ secretKey }) => secretKey)
  const holder = await database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM keys WHERE key_id = $1 FOR UPDATE', [byId[2]?.key?.keyId])

  const first = await useAndStop([one, three, two])
  await untilWaiting(1)
  const second = await useAndStop([two, one, four])
  await untilWaiting(2)
  await holder.query('ROLLBACK')
  holder.release()
  await Promise.all([first.stopped, second.stopped])
  expect(await accountsUsed()).toEqual(accounts)
})
