import { readRailHealth } from '../../console/store/provider-health'
import { openDatabases } from '../../database/database'
import type { Prisma } from '../../database/generated/client'
import { freezeUnconfirmed } from '../../freezes/store/freeze-unconfirmed'
import { ledgerOfFile } from '../../ledger.harness'
import { payBill, payBillNumberKey } from '../../pay-bill/pay-bill.harness'
import { past } from '../../time.harness'
import { boundsOf } from '../rules/reconciliation'
import { loadReads } from './load-receipts'
import { readDifference, readStatementLag } from './recon-reports'

const at = ledgerOfFile({ payBillNumberKey, reconcileEverySeconds: 3_600 })

/** Readings, one each three minutes, of two months; those of two days are 960. */
const many = 30_000
const ofTwoDays = 960

let databases: ReturnType<typeof openDatabases>
beforeAll(async () => {
  databases = openDatabases(at.database.url)
  const { checkoutId } = await at.pay.checkout()
  const accountNumber = await payBill(at.ledger).number(checkoutId)
  await payBill(at.ledger).paid({ accountNumber, receipt: 'LOST000001', amountMinor: 50_000n })
  // The statement, which was read since, does not show it.
  await past(at.database, async (query) => {
    await query(`UPDATE provider_messages SET applied_at = applied_at - interval '40 minutes'`)
    await query(`UPDATE transfers SET event_at = event_at - interval '40 minutes'`)
  })
  await at.database.pool.query(
    `INSERT INTO statement_reads (provider, from_at, until_at, read_at)
    SELECT 'mpesa', now() - n * interval '3 minutes' - interval '20 minutes', now() - n * interval '3 minutes',
      now() - n * interval '3 minutes'
    FROM generate_series($1::int, 1, -1) n`,
    [many],
  )
  await at.database.pool.query('VACUUM ANALYZE')
})
afterAll(() => Promise.all(Object.values(databases).map((one) => one.close())))

/** How many readings a question fetches. */
async function fetched(
  question: (db: Prisma.TransactionClient) => Promise<unknown>,
): Promise<number> {
  return databases.read.db.$transaction(async (db) => {
    const count = async () =>
      (
        await db.$queryRaw<[{ rows: number }]>`
          SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables
          WHERE relname = 'statement_reads'`
      )[0].rows
    const before = await count()
    await question(db)
    return (await count()) - before
  })
}

test.each<[string, number, (db: Prisma.TransactionClient) => Promise<unknown>]>([
  ['how far behind the reading is', 10, readStatementLag],
  ['the health of providers', 10, (db) => readRailHealth(db, ['mpesa', 'airtel_money'], 60)],
  ['the readings of two days', 2 * ofTwoDays, (db) => loadReads(db, { secondsAgo: 172_800 })],
  ['the difference of two days', 2 * ofTwoDays, (db) => readDifference(db, new Map())],
  [
    'what is unconfirmed',
    2 * ofTwoDays,
    async (db) => {
      const frozen = await freezeUnconfirmed({ db, pool: at.database.pool }, 1_800)
      expect(frozen).toEqual(['mpesa:LOST000001'])
    },
  ],
])('%s is found among the readings of years by an index', async (_, rows, question) => {
  expect(await fetched(question)).toBeLessThan(rows)
})

test('the readings of an old day are not those of all days since', async () => {
  const { rows } = await at.database.pool.query<{ day: string }>(
    `SELECT to_char(now() - interval '50 days', 'YYYY-MM-DD') AS day`,
  )
  const { from, until } = boundsOf(rows[0]?.day ?? '')
  const { reads } = await loadReads(databases.read.db, { at: from, until })
  expect(reads.length).toBeGreaterThan(480)
  expect(reads.length).toBeLessThan(500)
})
