import { cloneDatabase, type TestDatabase } from '@malipo/testing/database'
import { operatorIdOf } from '@malipo/runtime/operator-signature'
import { decideRefund } from '../../refunds/rules/decide-by-hand'
import { past } from '../../time.harness'
import { enrollOperator } from './enrollments'
import { actOnRefund } from '../../refunds/store/apply'

let database: TestDatabase

beforeAll(async () => {
  database = await cloneDatabase('ledger')
})

afterAll(() => database.drop())

test('the requests of operators from before operators had keys stay readable, and such operators can agree to nothing', async () => {
  // The rows are as the migration to keys left them.
  await past(database, async (query) => {
    await query(
      "INSERT INTO operators (id, name, asked_at) VALUES ('legacy:ops1', 'ops1', now()), ('legacy:Ops1', 'Ops1', now())",
    )
    await query(`
      INSERT INTO refunds (id, provider, receipt, minor, sent_by, status, asked_by, asked_at, decided_by, callback_secret)
      VALUES
        ('rf_${'1'.repeat(24)}', 'mpesa', 'QK1', 100, 'us', 'approved', 'legacy:ops1', now(), 'legacy:Ops1', 'x'),
        ('rf_${'2'.repeat(24)}', 'mpesa', 'QK2', 100, 'us', 'asked', 'legacy:ops1', now(), NULL, 'x')`)
    await query(`
      INSERT INTO operator_actions (at, operator, did, subject, note)
      VALUES (now(), 'ops1', 'refund_asked', 'mpesa:QK1', 'by hand')`)
  })
  const named = await database.pool.query('SELECT operator_name(operator) FROM operator_actions')
  expect(named.rows).toEqual([{ operator_name: 'legacy:ops1' }])
  const publicKey = Buffer.alloc(32, 'k')
  const operatorId = operatorIdOf(publicKey)
  const key = { operatorId, name: 'ops1', subject: 'ops1', publicKey, by: operatorId }
  expect(await enrollOperator(database.pool, key)).toBe('enrolled')
  const decide = (isAgreed: boolean, operator: string) =>
    actOnRefund(database.pool, `rf_${'2'.repeat(24)}`, (state) =>
      decideRefund(state, { isAgreed, operator, note: 'note' }),
    )
  expect(await decide(true, operatorId)).toBe('needs_another')
  await expect(decide(false, 'legacy:Ops1')).rejects.toMatchObject({
    constraint: 'operator_actions_of_operators',
  })
  expect(await decide(false, operatorId)).toBe('withdrawn')
})
