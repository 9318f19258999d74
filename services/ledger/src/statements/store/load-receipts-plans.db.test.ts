import { openDatabases } from '../../database/database'
import { ledgerOfFile } from '../../ledger.harness'
import { past } from '../../time.harness'
import { loadSlice } from './load-receipts'

const at = ledgerOfFile()
const hour = 3_600_000_000
const from = 1_793_610_000_000_000
const many = 2_000

/** Payments of a rail without a statement within an hour, each with the answer to our query that named its receipt. */
async function answered(): Promise<void> {
  const { checkoutId } = await at.pay.checkout()
  await at.pay.paid(await at.pay.pending(checkoutId))
  await past(at.database, async (query) => {
    await query(
      `INSERT INTO intents SELECT (jsonb_populate_record(NULL::intents, to_jsonb(i) || jsonb_build_object(
        'id', 'pi_answered_' || n, 'receipt', 'A' || n, 'checkout_id', 'cs_answered_' || n, 'attempt_reference', NULL,
        'provider_request_id', NULL, 'callback_request_id', NULL))).*
      FROM (SELECT * FROM intents LIMIT 1) i, generate_series(1, $1::int) n`,
      [many],
    )
    await query(
      `INSERT INTO provider_messages SELECT (jsonb_populate_record(NULL::provider_messages, to_jsonb(m)
        || jsonb_build_object('id', 'pm_answered_' || n, 'intent_id', 'pi_answered_' || n, 'receipt', 'A' || n,
          'digest', NULL, 'kind', 'query_answer', 'strength', 'E4'))).*
      FROM (SELECT * FROM provider_messages LIMIT 1) m, generate_series(1, $1::int) n`,
      [many],
    )
    await query(
      `INSERT INTO transfers SELECT (jsonb_populate_record(NULL::transfers, to_jsonb(t) || jsonb_build_object(
        'event_key', 'receipt:mtn_momo:A' || n, 'event_at', to_timestamp($2::float8 / 1000000)))).*
      FROM (SELECT * FROM transfers LIMIT 1) t, generate_series(1, $1::int) n`,
      [many, from],
    )
  })
  await at.database.pool.query('ANALYZE intents, provider_messages, transfers')
}

async function forget(): Promise<void> {
  await past(at.database, async (query) => {
    await query(`DELETE FROM transfers WHERE event_key LIKE 'receipt:mtn_momo:A%'`)
    await query(`DELETE FROM provider_messages WHERE id LIKE 'pm_answered_%'`)
    await query(`DELETE FROM intents WHERE id LIKE 'pi_answered_%'`)
  })
}

test('receipts of a rail without a statement are compared with our answers without reading all messages', async () => {
  await answered()
  const databases = openDatabases(at.database.url)
  const until = from + hour
  const sides = [{ provider: 'mtn_momo', readUntil: until, until }]
  const read = await databases.read.db.$transaction(async (db) => {
    const groups = await loadSlice(db, { from, until, sides })
    const [scanned] = await db.$queryRaw<[{ rows: number }]>`
      SELECT seq_tup_read::int AS rows FROM pg_stat_xact_user_tables WHERE relname = 'provider_messages'`
    return { groups, scanned }
  })
  expect(read.groups).toMatchObject([{ receipts: many, isAnswered: true }])
  expect(read.scanned).toEqual({ rows: 0 })
  await Promise.all(Object.values(databases).map((one) => one.close()))
  await forget()
})
