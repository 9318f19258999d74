import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { eventually } from '@malipo/testing/eventually'
import { type RunningAuth, startAuth } from '../start.harness'
import { upstreamsOfFile } from '../upstreams.harness'

const upstreams = upstreamsOfFile()
let database: TestDatabase
let auth: RunningAuth

beforeAll(async () => {
  database = await cloneDatabase('auth')
  const { ke = [], ug = [] } = upstreams.config.ledgerAddresses ?? {}
  // The second cell is a closed port.
  auth = await startAuth(database, { ledgerAddresses: { ke: [...ke, '127.0.0.1:1'], ug } })
})
afterAll(async () => {
  await auth.stop()
  await database.drop()
})

test('opens a wallet while many older accounts wait for a cell that is down, and for one that is not configured', async () => {
  await database.pool.query(
    `INSERT INTO accounts (account_id, request_id, home_country, display_name, cell, created_at)
     SELECT 'acc_' || lpad(n::text, 24, '0'), n::text, 'ke', 'Older', 1 + n % 2, now() - interval '1 hour'
     FROM generate_series(1, 100) n`,
  )
  const { accountId, cell } = await auth.createAccount('newer')
  expect(cell).toBe(0)
  await eventually('its wallet is open', async () => {
    const { rowCount } = await database.pool.query(
      'SELECT FROM accounts WHERE account_id = $1 AND wallet_opened_at IS NOT NULL',
      [accountId],
    )
    return rowCount === 1
  })
})
