import { openDatabases } from '../../database/database'
import type { Prisma } from '../../database/generated/client'
import { openLedger, type TestLedger } from '../../ledger.harness'
import { operators } from '../../operators/operators.harness'
import { past } from '../../time.harness'
import { readPaymentSearch } from '../rules/payment-search'
import { findPayments } from './found-payments'
import { findPaymentStory } from './payment-story'
import { readRailHealth } from './provider-health'

// Operators read these pages while payments go on, in a database of years.

const many = 10_000
let at: TestLedger
let checkoutId: string
let intentId: string
let databases: ReturnType<typeof openDatabases>

/** Tables with the columns in which their rows differ from one that there is, and those of their times. */
const tables = {
  intents: [
    { id: `'pi_' || n`, receipt: `'R' || n`, checkout_id: `'cs_' || n`, phone: `'2547' || n` },
    ['created_at', 'submitted_at', 'settled_at', 'ended_at'],
  ],
  provider_messages: [
    { id: `'pm_' || n`, intent_id: `'pi_' || n`, receipt: `'R' || n` },
    ['received_at', 'applied_at'],
  ],
  wire_attempts: [{ intent_id: `'pi_' || n` }, ['began_at', 'ended_at']],
  refunds: [{ id: `'rf_' || lpad(to_hex(n), 24, '0')`, receipt: `'R' || n` }, ['asked_at']],
  operator_actions: [{ action: '1000 + n', subject: `'mpesa:R' || n` }, ['at']],
  webhook_events: [
    { id: `'evt_' || lpad(to_hex(n), 24, '0')`, subject_id: `'cs_' || n` },
    ['created_at'],
  ],
  webhook_deliveries: [
    { id: `'wd_' || lpad(to_hex(n), 24, '0')`, event_id: `'evt_' || lpad(to_hex(n), 24, '0')` },
    ['created_at'],
  ],
} as const

/** Columns that are unique, or by which a copy would be found as well. */
const none = ['attempt_reference', 'provider_request_id', 'callback_request_id', 'digest']

beforeAll(async () => {
  at = await openLedger()
  databases = openDatabases(at.database.url)
  const by = operators(at)
  await by.enroll()
  const paid = await by.paid()
  ;({ checkoutId, intentId } = paid)
  await by.requestedRefund(paid.subject)
  await past(at.database, async (query) => {
    await query(`INSERT INTO webhook_events (id, account_id, type, subject_id)
      VALUES ('evt_' || repeat('a', 24), '${paid.accountId}', 'checkout.completed', '${checkoutId}')`)
    await query(`INSERT INTO webhook_deliveries (id, event_id, endpoint_id, status)
      VALUES ('wd_' || repeat('a', 24), 'evt_' || repeat('a', 24), 'we_' || repeat('a', 24), 'delivered')`)
    for (const [table, [differing, times]] of Object.entries(tables)) {
      const ids = Object.entries(differing).map(([column, value]) => `'${column}', ${value}`)
      const moved = times.map((column) => `'${column}', now() - n * interval '10 minutes'`)
      const empty = none.map((column) => `'${column}', NULL`)
      // The oldest first, as payments write them.
      await query(`INSERT INTO ${table} OVERRIDING SYSTEM VALUE
        SELECT copy.* FROM (SELECT * FROM ${table} LIMIT 1) one, generate_series(${String(many)}, 2, -1) n,
          LATERAL jsonb_populate_record(NULL::${table}, to_jsonb(one) || jsonb_build_object(
            ${[...ids, ...moved, ...empty].join(', ')})) copy`)
    }
  })
  await at.database.pool.query('VACUUM ANALYZE')
})

afterAll(async () => {
  await Promise.all(Object.values(databases).map((one) => one.close()))
  await at.ledger.stop()
  await at.database.drop()
})

/** The rows of each table that its scans have read. The connection counts those of its earlier transactions too. */
async function scanned(db: Prisma.TransactionClient) {
  const tables = await db.$queryRaw<{ table: string; rows: number }[]>`
    SELECT relname AS table, seq_tup_read::int AS rows FROM pg_stat_xact_user_tables ORDER BY 1`
  return new Map(tables.map(({ table, rows }) => [table, rows]))
}

/** Reads, and returns what was read and the tables that were read whole. */
async function read<Value>(reading: (db: Prisma.TransactionClient) => Promise<Value>) {
  return databases.read.db.$transaction(async (db) => {
    const before = await scanned(db)
    const value = await reading(db)
    const after = await scanned(db)
    const whole = [...after].filter(([table, rows]) => rows - (before.get(table) ?? 0) >= many / 2)
    return { value, whole: whole.map(([table]) => table) }
  })
}

test('the story of a payment reads no whole table', async () => {
  const { value, whole } = await read((db) => findPaymentStory(db, { checkoutId }))
  const kinds = new Set(value?.events.map(({ kind }) => kind))
  expect(kinds).toEqual(
    new Set(['checkout', 'step', 'call', 'message', 'transfer', 'refund', 'action', 'delivery']),
  )
  expect(whole).toEqual([])
})

test('the health of providers reads no whole table', async () => {
  const { value, whole } = await read((db) => readRailHealth(db, ['mpesa'], 60))
  expect(value).toMatchObject([{ rail: 'mpesa', begun: 5 }])
  expect(whole).toEqual([])
})

test.each([
  ['the end of a phone', '7500', 'pi_500'],
  ['a receipt', 'R500', 'pi_500'],
  ['a receipt with its provider', 'mpesa:R9000', 'pi_9000'],
  ['an attempt', undefined, undefined],
])('the search for %s reads no whole table', async (_, typed, found) => {
  const search = readPaymentSearch(typed ?? intentId)
  if (search === undefined) throw new Error('nothing to search for')
  const { value, whole } = await read((db) => findPayments(db, search, 50))
  expect(value).toMatchObject([{ intentId: found ?? intentId }])
  expect(whole).toEqual([])
})

test('the search for a checkout reads no whole table', async () => {
  const { value, whole } = await read((db) =>
    findPayments(db, { by: 'checkout', text: checkoutId }, 50),
  )
  expect(value).toMatchObject([{ checkoutId }])
  expect(whole).toEqual([])
})
