import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RefundSender } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { repositoryDir } from '@malipo/stack/migrate'
import { openDatabases } from '../database/database'
import { ledgerOfFile } from '../ledger.harness'
import { meanwhile } from '../locks.harness'
import { enrolledOperators, note } from '../operators/operators.harness'
import { past } from '../time.harness'

const backfill = join(
  repositoryDir,
  'services/ledger/prisma/migrations/20261130085600_closed_suspense_so_far/migration.sql',
)
const at = ledgerOfFile()
const by = enrolledOperators(at)

async function askedPlacement(subject: string): Promise<string> {
  const owner = { $case: 'accountId', value: await at.pay.merchant() } as const
  return (await by.amina.askPlacement({ subject, owner, note })).placementId ?? ''
}
const place = (placementId: string) => by.brian.decidePlacement({ placementId, agreed: true, note })
const refund = async (subject: string) =>
  by.agreed(await by.requestedRefund(subject, RefundSender.PROVIDER))

async function isClosed(subject: string): Promise<boolean | undefined> {
  const sql = 'SELECT is_closed AS "isClosed" FROM suspense_items WHERE event_key = $1'
  const { rows } = await at.database.pool.query<{ isClosed: boolean }>(sql, [`receipt:${subject}`])
  return rows[0]?.isClosed
}

const listed = async () =>
  (await at.ledger.listSuspense({ limit: 100 })).items.map(({ subject }) => subject)

/** Runs a statement, and returns the constraint that refuses it, or `done`. */
async function refusalOf(sql: string, values: unknown[]): Promise<unknown> {
  return at.database.pool.query(sql, values).then(
    () => 'done',
    (error: unknown) => (error as { constraint?: unknown }).constraint,
  )
}

test('held money is open until its placement or its refund is posted, and closed from then on', async () => {
  const [placed, refunded, held] = [
    await by.unmatched(),
    await by.unmatched(),
    await by.unmatched(),
  ]
  await place(await askedPlacement(placed))
  await refund(refunded)
  expect(await Promise.all([placed, refunded, held].map(isClosed))).toEqual([true, true, false])
  expect(await listed()).toEqual([held])
})

test('the database refuses an item that says closed while its money is there, and one that says open when it is gone', async () => {
  const [open, closed] = [await by.unmatched(), await by.unmatched()]
  await refund(closed)
  const set = (isNow: boolean) =>
    `UPDATE suspense_items SET is_closed = ${String(isNow)} WHERE event_key = 'receipt:' || $1`
  expect(await refusalOf(set(true), [open])).toBe('suspense_items_close_as_posted')
  expect(await refusalOf(set(false), [closed])).toBe('suspense_items_close_as_posted')
  const insert = `INSERT INTO suspense_items (event_key, leg, reason, minor, opened_at, is_closed)
    SELECT event_key, 1, 'unmatched', 1, now(), true FROM transfers WHERE event_key = 'receipt:' || $1`
  expect(await refusalOf(insert, [open])).toBe('suspense_items_close_as_posted')
  expect(await Promise.all([open, closed].map(isClosed))).toEqual([false, true])
})

test('the database refuses each change of an item but its closing', async () => {
  const { rows } = await at.database.pool.query<{ column: string }>(
    `SELECT attname AS column FROM pg_attribute WHERE attrelid = 'suspense_items'::regclass AND attnum > 0
      AND NOT attisdropped AND attname <> 'is_closed'`,
  )
  expect(rows.length).toBeGreaterThan(5)
  for (const { column } of rows) {
    const change = at.database.pool.query(`UPDATE suspense_items SET ${column} = ${column}`)
    await expect(change).rejects.toMatchObject({ code: '23001' })
  }
})

test('money whose closing was posted before items were marked is not listed, and the migration marks it', async () => {
  const subject = await by.unmatched()
  await refund(subject)
  await past(at.database, async (query) => {
    const unmark = `UPDATE suspense_items SET is_closed = false WHERE event_key = 'receipt:' || $1`
    await query(unmark, [subject])
  })
  const held = await by.unmatched()
  expect(await listed()).not.toContain(subject)
  await at.database.pool.query(readFileSync(backfill, 'utf8'))
  expect(await Promise.all([subject, held].map(isClosed))).toEqual([true, false])
})

test('closings at the same moment, several of one receipt among them, leave each item as the journal has it', async () => {
  const subjects = await Promise.all(Array.from({ length: 8 }, () => by.unmatched()))
  const placementIds = await Promise.all(subjects.slice(0, 5).map(askedPlacement))
  const refundId = await by.requestedRefund(subjects[5] ?? '', RefundSender.PROVIDER)
  await Promise.all([
    ...[...placementIds, ...placementIds].map(place),
    ...[refundId, refundId].map((id) => by.agreed(id)),
  ])
  expect(await Promise.all(subjects.map(isClosed))).toEqual(subjects.map((_, index) => index < 6))
})

test('a closing that waits for another one of the same item finds it closed', async () => {
  const subject = await by.unmatched()
  const post = (did: string) => `
    INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
    VALUES ('${did}:' || $1::text, 0, 'suspense:unmatched', 'float:mpesa', 'KES', 50000, now(), now())`
  await meanwhile(at, [post('placed'), [subject]], () =>
    at.database.pool.query(post('refunded'), [subject]),
  )
  expect(await isClosed(subject)).toBe(true)
  await by.unpost(subject)
})

test('what is open is read without what was ever closed', async () => {
  const subject = await by.unmatched()
  await refund(subject)
  const history = 3_000
  await past(at.database, async (query) => {
    for (const table of ['transfers', 'suspense_items']) {
      await query(
        `INSERT INTO ${table} SELECT (jsonb_populate_record(NULL::${table}, to_jsonb(t) || jsonb_build_object(
          'event_key', regexp_replace(t.event_key, ':.*', ':mpesa:OLD' || n)))).*
        FROM ${table} t, generate_series(1, ${String(history)}) n WHERE t.event_key LIKE '%:' || $1`,
        [subject],
      )
    }
  })
  await at.database.pool.query('ANALYZE transfers, suspense_items')
  const databases = openDatabases(at.database.url)
  const rowsRead = await databases.read.db.$transaction(async (db) => {
    await db.$queryRaw`SELECT subject FROM open_suspense()`
    const [{ rows }] = await db.$queryRaw<[{ rows: number }]>`
      SELECT sum(seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables
      WHERE relname IN ('transfers', 'suspense_items')`
    return rows
  })
  await Promise.all(Object.values(databases).map((one) => one.close()))
  expect(rowsRead).toBeLessThan(100)
  await past(at.database, async (query) => {
    await query(`DELETE FROM suspense_items WHERE event_key LIKE '%:mpesa:OLD%'`)
    await query(`DELETE FROM transfers WHERE event_key LIKE '%:mpesa:OLD%'`)
  })
})
