import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { openMeasuredPool } from './measured-pool'
import { metrics } from './metrics'

let database: TestDatabase

beforeAll(async () => {
  database = await cloneDatabase('keys')
})

afterAll(() => database.drop())

/** The value of a metric sample, by its full name. */
async function sample(name: string): Promise<string | undefined> {
  const line = (await metrics.metrics()).split('\n').find((one) => one.startsWith(`${name} `))
  return line?.slice(name.length + 1)
}

test("exports a pool's connections in use and its waits, until the pool is closed", async () => {
  const pool = openMeasuredPool('one', { connectionString: database.url, max: 1 })
  const held = await pool.connect()
  // A busy server may take longer than this to open the first connection.
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
