import { ledgerOfFile } from '../../ledger.harness'
import { openDatabases } from '../../database/database'
import { past } from '../../time.harness'
import { listEntries } from './wallet-entries'

const at = ledgerOfFile()
const history = 3_000

test('a page of a wallet reads as many rows of the journal as it lists, however long the history is', async () => {
  const accountId = await at.pay.merchant()
  const { checkoutId } = await at.pay.checkout({ accountId })
  await at.pay.paid(await at.pay.pending(checkoutId))
  await past(at.database, async (query) => {
    await query(
      `INSERT INTO transfers SELECT (jsonb_populate_record(NULL::transfers, to_jsonb(t) || jsonb_build_object(
        'event_key', 'receipt:mpesa:OLD' || n, 'created_at', now() - make_interval(mins => n)
      ))).* FROM (SELECT * FROM transfers WHERE credit LIKE '%' || $1) t, generate_series(1, ${String(history)}) n`,
      [accountId],
    )
  })
  await at.database.pool.query('ANALYZE transfers')
  const databases = openDatabases(at.database.url)
  const page = async (beforeEntryId: string | undefined) =>
    databases.read.db.$transaction(async (db) => {
      const question = { limit: 25, createdFrom: undefined, createdUntil: undefined }
      const entries = await listEntries(db, accountId, { ...question, beforeEntryId })
      const [{ rows }] = await db.$queryRaw<[{ rows: number }]>`
        SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables WHERE relname = 'transfers'`
      return { entries, rows }
    })
  const first = await page(undefined)
  const second = await page(first.entries.at(24)?.entryId)
  expect(second.entries[0]?.entryId).toBe(first.entries.at(25)?.entryId)
  for (const { entries, rows } of [first, second]) {
    expect(entries).toHaveLength(26)
    expect(rows).toBeLessThan(100)
  }
  await past(at.database, async (query) => {
    await query(`DELETE FROM transfers WHERE event_key LIKE 'receipt:mpesa:OLD%'`)
  })
  await Promise.all(Object.values(databases).map((one) => one.close()))
})
