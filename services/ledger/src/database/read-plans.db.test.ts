import type { Pool } from 'pg'
import { openLedger, type TestLedger } from '../ledger.harness'
import { checkoutStatements, openFindCheckout } from '../checkouts/store/checkouts'
import { openDatabases } from './database'
import { findHandlePayment, handlePaymentStatements } from '../handles/store/handle-intents'

let at: TestLedger
let databases: ReturnType<typeof openDatabases>
let pool: Pool
beforeAll(async () => {
  at = await openLedger()
  databases = openDatabases(at.database.url)
  ;({ pool } = databases.read)
})
afterAll(async () => {
  await Promise.all(Object.values(databases).map((one) => one.close()))
  await at.close()
})

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly PlanNode[]
}

const scansOf = (node: PlanNode): string[] => [
  ...(node['Relation Name'] === undefined ? [] : [`${node['Node Type']} ${node['Relation Name']}`]),
  ...(node.Plans ?? []).flatMap(scansOf),
]

async function scans(text: string, values: string): Promise<string[]> {
  const client = await pool.connect()
  await client.query(`PREPARE explained AS ${text}`)
  const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
    `EXPLAIN (FORMAT JSON) EXECUTE explained (${values})`,
  )
  await client.query('DEALLOCATE explained')
  client.release()
  return rows.flatMap((row) => scansOf(row['QUERY PLAN'][0].Plan)).sort()
}

test('reads a checkout in one scan of its attempts, each table by an index', async () => {
  const found = await scans(checkoutStatements.load.text, `ARRAY['cs_ke_1', 'cs_ke_2']`)
  expect(found.filter((scan) => scan.endsWith(' intents'))).toHaveLength(1)
  expect(found.filter((scan) => !/^(?:Index|Bitmap)/.test(scan))).toEqual([])
})

test('reads a payment to a handle by indexes alone', async () => {
  const found = await scans(handlePaymentStatements.load.text, `'pi_1'`)
  expect(found.filter((scan) => !/^(?:Index|Bitmap)/.test(scan))).toEqual([])
})

test('plans each read once a connection, however many are read together', async () => {
  const { checkoutId } = await at.pay.checkout()
  const find = openFindCheckout(pool)
  for (const many of [1, 1, 1, 1, 1, 1, 1, 20]) {
    const found = await Promise.all(Array.from({ length: many }, async () => find(checkoutId)))
    expect(found.map((one) => one?.checkoutId)).toEqual(found.map(() => checkoutId))
    expect(await findHandlePayment(pool, 'pi_unknown')).toBeUndefined()
  }
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
  const planned = await Promise.all(
    clients.map((client) =>
      client.query<{ name: string; custom: number }>(
        'SELECT name, custom_plans::int AS custom FROM pg_prepared_statements ORDER BY name',
      ),
    ),
  )
  for (const client of clients) client.release()
  const rows = planned.flatMap((one) => one.rows)
  expect(new Set(rows.map(({ name }) => name))).toEqual(
    new Set(['load_checkouts', 'load_handle_payment']),
  )
  expect(rows.filter(({ custom }) => custom > 0)).toEqual([])
})

test('checkouts that are read at the same moment are loaded in a batch, and each caller gets its own', async () => {
  const ids = await Promise.all(
    Array.from({ length: 6 }, async () => (await at.pay.checkout()).checkoutId),
  )
  const find = openFindCheckout(pool)
  const requests = [...ids, 'cs_ke_unknown', ...ids]
  const found = await Promise.all(requests.map(find))
  expect(found.map((one) => one?.checkoutId)).toEqual([...ids, undefined, ...ids])
})

test('every index that finds the newest rows of a table is summarized while the table grows', async () => {
  const { rows } = await at.database.pool.query<{ name: string; isSummarized: boolean }>(
    `SELECT i.relname AS name, coalesce('autosummarize=on' = ANY (i.reloptions), false) AS "isSummarized"
    FROM pg_class i JOIN pg_am m ON m.oid = i.relam WHERE m.amname = 'brin' AND i.relkind = 'i'`,
  )
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.filter(({ isSummarized }) => !isSummarized)).toEqual([])
})
