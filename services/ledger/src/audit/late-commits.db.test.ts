import { Pool } from 'pg'
import { openAuditDatabase } from '../database/database'
import { openLedger, type TestLedger } from '../ledger.harness'
import { auditQuery, ever, instantAgo, invariants } from './store/audit'
import { readPaymentMeasures } from './store/payment-measures'

let at: TestLedger
/** Connects as the service, which sees only the transactions of its own role. */
let service: Pool

beforeAll(async () => {
  at = await openLedger()
  service = new Pool({ connectionString: at.database.url })
})

afterAll(async () => {
  await service.end()
  await at.ledger.stop()
  await at.database.drop()
})

const paid = async () => at.pay.paid(await at.pay.pending((await at.pay.checkout()).checkoutId))

/** Writes a transfer that is not committed yet, as if its commit waited for a standby. Returns how to commit it. */
async function writeLate(eventKey: string): Promise<() => Promise<void>> {
  const client = await service.connect()
  await client.query('BEGIN')
  await client.query(
    `INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
    SELECT $1, leg, debit, credit, currency, minor, clock_timestamp(), clock_timestamp() FROM transfers LIMIT 1`,
    [eventKey],
  )
  return async () => {
    await client.query('COMMIT')
    client.release()
  }
}

/** The number of seals and transfers that are not as they were sealed. */
async function brokenSeals(): Promise<number> {
  const sealed = invariants.find(({ number }) => number === 5)
  const { rows } = await at.database.pool.query<{ rows: number }>(
    auditQuery(sealed ?? { query: '' }, true),
    [ever],
  )
  return rows[0]?.rows ?? Number.NaN
}

const sealAll = () => service.query('SELECT seal_journal(0, 300)')
const lastSealed = async () =>
  (await at.database.pool.query('SELECT max(until_at) AS at FROM journal_seals')).rows as unknown

test('a transfer whose commit comes late is in a later seal, and the seals before it hold', async () => {
  await paid()
  await sealAll()
  const commit = await writeLate('receipt:mpesa:LATE000001')
  await paid()
  await sealAll()
  const before = await lastSealed()
  await commit()
  expect(await brokenSeals()).toBe(0)
  await sealAll()
  expect(await lastSealed()).not.toEqual(before)
  expect(await brokenSeals()).toBe(0)
})

test('an audit and a count of payments end before a transfer whose commit comes late, so the next ones include it', async () => {
  await paid()
  const db = openAuditDatabase(at.database.url)
  const begin = await instantAgo(db, 30)
  const commit = await writeLate('receipt:mpesa:LATE000002')
  await paid()
  const [look, { until }] = [await instantAgo(db, 0), await readPaymentMeasures(db, begin, 0)]
  await commit()
  const { rows } = await at.database.pool.query(
    `SELECT $1::timestamptz <= created_at AS "isLooked", $2::timestamptz <= created_at AS "isCounted"
    FROM transfers WHERE event_key = 'receipt:mpesa:LATE000002'`,
    [look, until],
  )
  expect(rows).toEqual([{ isLooked: true, isCounted: true }])
  await db.$disconnect()
})
