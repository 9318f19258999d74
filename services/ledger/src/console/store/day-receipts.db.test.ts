import { openDatabases } from '../../database/database'
import { ledgerOfFile } from '../../ledger.harness'
import { past } from '../../time.harness'
import { listDayReceipts } from './day-receipts'

const at = ledgerOfFile()
const day = '2026-11-10'
const provider = 'mpesa'

/** Rows of the statement, so many each hour of the day, of which those of the first hour are posted nowhere. */
const hourly = 150

test('a page of a day reads no more of its hours than it lists, those that differ first', async () => {
  const { checkoutId } = await at.pay.checkout()
  await at.pay.paid(await at.pay.pending(checkoutId))
  await past(at.database, async (query) => {
    await query(
      `INSERT INTO statement_rows SELECT 'mpesa', 'H' || lpad(hour::text, 2, '0') || '-' || n, 50000,
        $1::timestamptz + make_interval(hours => hour, secs => n), now()
      FROM generate_series(0, 23) hour, generate_series(100, 99 + $2::int) n`,
      [`${day}T00:00:00+03:00`, hourly],
    )
    await query(
      `INSERT INTO transfers SELECT (jsonb_populate_record(NULL::transfers, to_jsonb(t)
        || jsonb_build_object('event_key', 'receipt:mpesa:' || s.receipt, 'event_at', s.paid_at))).*
      FROM (SELECT * FROM transfers LIMIT 1) t, statement_rows s WHERE s.receipt !~ '^H00'`,
    )
  })
  await at.database.pool.query('ANALYZE transfers, statement_rows')
  const databases = openDatabases(at.database.url)
  /** The receipts of a page, and how many rows of the statement were read for it. */
  const page = async (afterReceipt: string | undefined) =>
    databases.read.db.$transaction(async (db) => {
      await db.$executeRaw`SET LOCAL enable_seqscan = off`
      const count = async () =>
        (
          await db.$queryRaw<[{ rows: number }]>`
            SELECT idx_tup_fetch::int AS rows FROM pg_stat_xact_user_tables WHERE relname = 'statement_rows'`
        )[0].rows
      const before = await count()
      const listed = await listDayReceipts(db, { day, provider, afterReceipt, limit: 100 })
      return { receipts: listed.map(({ receipt }) => receipt), rows: (await count()) - before }
    })
  const names = (hour: string, from: number, until: number) =>
    Array.from({ length: until - from }, (_, n) => `H${hour}-${String(from + n)}`)

  const first = await page(undefined)
  expect(first.receipts).toEqual(names('00', 100, 200))
  const second = await page('H00-199')
  expect(second.receipts).toEqual([...names('00', 200, 250), ...names('01', 100, 150)])
  const third = await page('H01-149')
  expect(third.receipts).toEqual(names('01', 150, 250))
  const last = await page('H23-200')
  expect(last.receipts).toEqual(names('23', 201, 250))
  for (const { rows } of [first, third, last]) expect(rows).toBeLessThan(4 * hourly)

  await past(at.database, async (query) => {
    await query(`DELETE FROM transfers WHERE event_key LIKE 'receipt:mpesa:H%'`)
    await query('DELETE FROM statement_rows')
  })
  await Promise.all(Object.values(databases).map((one) => one.close()))
})
