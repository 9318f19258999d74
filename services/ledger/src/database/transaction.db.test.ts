import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { Pool } from 'pg'
import { inTransaction } from './transaction'

let database: TestDatabase
let pool: Pool

beforeAll(async () => {
  database = await cloneDatabase('ledger')
  pool = new Pool({ connectionString: database.url, max: 1, pipeline: true })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const divide = { name: 'divide', text: 'SELECT 1 / $1::int AS quotient' }

test('throws the error of the last statement, though its COMMIT is answered with it', async () => {
  const dividing = inTransaction(pool, (transaction) => transaction.commit(divide, [0]))
  await expect(dividing).rejects.toThrow('division by zero')
})

test('throws the error of an earlier statement that the last one did not wait for', async () => {
  const dividing = inTransaction(pool, async (transaction) => {
    const [rows] = await Promise.all([
      transaction.query(divide, [0]),
      transaction.commit(divide, [1]),
    ])
    return rows
  })
  await expect(dividing).rejects.toThrow('division by zero')
  // The same connection then runs the next transaction.
  expect(await inTransaction(pool, (transaction) => transaction.commit(divide, [1]))).toEqual([
    { quotient: 1 },
  ])
})
