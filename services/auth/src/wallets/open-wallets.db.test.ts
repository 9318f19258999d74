import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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
  await untilOpened(accountId)
})

test('a wallet that a restored ledger has lost is opened again after the statement of the runbook', async () => {
  const { accountId } = await auth.createAccount('lost')
  await untilOpened(accountId)
  await database.pool.query(
    `UPDATE accounts SET wallet_opened_at = CASE account_id WHEN $1 THEN timestamptz '2026-11-25T06:00:00Z'
      ELSE timestamptz '2026-11-01T06:00:00Z' END`,
    [accountId],
  )
  const runbook = readFileSync(join(__dirname, '../../../../docs/runbooks/restore.md'), 'utf8')
  const [, statement = ''] = /psql accounts -c "(UPDATE accounts [^"]+)"/.exec(runbook) ?? []
  expect((await database.pool.query(statement)).rowCount).toBe(1)
  await untilOpened(accountId)
})

async function untilOpened(accountId: string): Promise<void> {
  await eventually('its wallet is open', async () => {
    const { rowCount } = await database.pool.query(
      'SELECT FROM accounts WHERE account_id = $1 AND wallet_opened_at IS NOT NULL',
      [accountId],
    )
    return rowCount === 1
  })
}
