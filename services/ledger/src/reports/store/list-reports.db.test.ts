import { openLedger, type TestLedger } from '../../ledger.harness'
import { uniqueReceipt } from '../../payments.harness'
import { reports } from '../report-closings.harness'
import { letPass, past } from '../../time.harness'
import { payBill, payBillNumberKey } from '../../pay-bill/pay-bill.harness'
import { openDatabases } from '../../database/database'
import { countUnposted } from './list-reports'

let at: TestLedger
let databases: ReturnType<typeof openDatabases>
let the: ReturnType<typeof reports>

beforeAll(async () => {
  at = await openLedger({ payBillNumberKey })
  databases = openDatabases(at.database.url)
  the = reports(at)
  await the.by.enroll()
})

afterAll(async () => {
  await Promise.all(Object.values(databases).map((one) => one.close()))
  await at.close()
})

test('counts signed and unsigned reports separately until they are closed, and each receipt once', async () => {
  const signed = await the.reported()
  const menu = payBill(at.ledger)
  const { checkoutId } = await at.pay.checkout({ accountId: await at.pay.merchant() })
  const accountNumber = await menu.number(checkoutId)
  const receipt = uniqueReceipt()
  for (const amountMinor of [50_000n, 60_000n]) {
    await menu.paid({ accountNumber, amountMinor, receipt, unsigned: true })
  }
  expect(await countUnposted(databases.read.db)).toEqual({ signed: 1, unsigned: 0 })
  await letPass(at.database, 660)
  expect(await countUnposted(databases.read.db)).toEqual({ signed: 1, unsigned: 1 })
  await the.close(signed.subject)
  await the.close(`mpesa:${receipt}`)
  expect(await countUnposted(databases.read.db)).toEqual({ signed: 0, unsigned: 0 })
})

test('a report for the number of no checkout, which is listed nowhere, is not counted', async () => {
  const before = await countUnposted(databases.read.db)
  const menu = payBill(at.ledger)
  const message = { accountNumber: 'CS00000000', amountMinor: 50_000n, unsealed: true }
  await menu.paid({ ...message, receipt: uniqueReceipt() })
  await letPass(at.database, 660)
  expect(await countUnposted(databases.read.db)).toEqual(before)
})

test('counts the unsigned reports of the last days without reading all that ever came', async () => {
  await past(at.database, async (query) => {
    await query(
      `INSERT INTO pay_bill_reports (message_id, receipt, minor, reported_at, held_until)
      SELECT 'pm_old_' || n, 'OLD' || n, 100, now() - interval '1 year', now() - interval '1 year'
      FROM generate_series(1, 3000) n`,
    )
  })
  await at.database.pool.query('ANALYZE pay_bill_reports')
  const [read] = await databases.read.db.$transaction(async (tx) => {
    await countUnposted(tx as typeof databases.read.db)
    return tx.$queryRaw<[{ rows: number }]>`
      SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables WHERE relname = 'pay_bill_reports'`
  })
  expect(read.rows).toBeLessThan(20)
  await past(at.database, async (query) => {
    await query(`DELETE FROM pay_bill_reports WHERE message_id LIKE 'pm_old_%'`)
  })
})
