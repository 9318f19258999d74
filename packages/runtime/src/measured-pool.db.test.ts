import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { eventually } from '@malipo/testing/eventually'
import { openMeasuredPool } from './measured-pool'
import { metrics } from './metrics'

let database: TestDatabase

beforeAll(async () => {
  database = await cloneDatabase('keys')
})

afterAll(() => database.drop())

async function sample(name: string): Promise<string | undefined> {
  const line = (await metrics.metrics()).split('\n').find((one) => one.startsWith(`${name} `))
  return line?.slice(name.length + 1)
}

test("exports a pool's connections in use and its waits, until the pool is closed", async () => {
  const pool = openMeasuredPool('one', { connectionString: database.url, max: 1 })
  const held = await pool.connect()
  // Set after the first connection, because a busy server may take longer than this to open it.
  pool.options.connectionTimeoutMillis = 200
  const refused = expect(pool.query('SELECT 1')).rejects.toThrow('timeout exceeded')
  expect(await sample('malipo_pool_used{pool="one"}')).toBe('1')
  expect(await sample('malipo_pool_max{pool="one"}')).toBe('1')
  expect(await sample('malipo_pool_waiting{pool="one"}')).toBe('1')
  await refused
  held.release()
  await pool.query('SELECT 1')
  expect(await sample('malipo_pool_used{pool="one"}')).toBe('0')
  expect(await sample('malipo_pool_wait_seconds_count{pool="one",outcome="refused"}')).toBe('1')
  expect(await sample('malipo_pool_wait_seconds_count{pool="one",outcome="ok"}')).toBe('2')
  await pool.end()
  expect(await sample('malipo_pool_used{pool="one"}')).toBeUndefined()
})

test('when the server ends a connection that is in use, the next statement fails and the process goes on', async () => {
  const pool = openMeasuredPool('two', { connectionString: database.url, max: 2 })
  const client = await pool.connect()
  const ended = new Promise((resolve) => {
    client.once('end', resolve)
  })
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  await pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
  await ended
  await expect(client.query('SELECT 1')).rejects.toThrow()
  client.release(true)
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  await pool.end()
})

test('counts a statement that the server refuses because its disk is full', async () => {
  const pool = openMeasuredPool('full', { connectionString: database.url, max: 1 })
  const counted = 'malipo_events_total{name="database_disk_full"}'
  expect(await sample(counted)).toBe('0')
  const refusing = (code: string) =>
    pool.query(`DO $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${code}'; END $$`)
  await expect(refusing('53200')).rejects.toThrow('refused')
  expect(await sample(counted)).toBe('0')
  await expect(refusing('53100')).rejects.toThrow('refused')
  expect(await sample(counted)).toBe('1')
  await pool.end()
})

test('an idle connection that the server ends is replaced', async () => {
  const pool = openMeasuredPool('three', { connectionString: database.url, max: 1 })
  const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const other = openMeasuredPool('four', { connectionString: database.url, max: 1 })
  await other.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
  await eventually('the pool has noticed', () => pool.totalCount === 0)
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  await Promise.all([pool.end(), other.end()])
})
