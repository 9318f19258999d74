import { eventually } from '@malipo/testing/eventually'
import { openLedger, type TestLedger } from '../ledger.harness'
import { fingerprint, present, unique } from '../payments.harness'

let at: TestLedger

beforeAll(async () => {
  at = await openLedger({ payBillNumberKey: Buffer.alloc(32, 3) })
})

afterAll(() => at.close())

const asked = (accountId: string, key = unique('key-')) => ({
  ...{ accountId, idempotencyKey: key, fingerprint, amountMinor: 50_000n },
  ...{ reference: 'INV-1', description: 'Shoes', returnUrl: 'https://shop.example/done' },
})
const create = async (accountId: string, key?: string) =>
  at.ledger.createCheckout(asked(accountId, key))

function orUnavailable(error: unknown): undefined {
  if ((error as { readonly reason?: unknown }).reason !== 'ledger_unavailable') throw error
}

/** An order as `create_together` takes it. */
const item = (accountId: string, changes: object = {}) => ({
  checkout_id: `cs_ke_${unique('').padEnd(24, '0')}`,
  account_id: accountId,
  key: unique('key-'),
  fingerprint: fingerprint.toString('hex'),
  amount_minor: '50000',
  ...{ reference: 'INV-1', description: 'Shoes', return_url: 'https://shop.example/done' },
  life_seconds: 1_800,
  ...changes,
})

/** Which of them the database made by one statement, by their places. */
async function together(items: readonly object[]): Promise<number[]> {
  const { rows } = await at.database.pool.query<{ place: number }>(
    'SELECT place FROM create_together($1)',
    [JSON.stringify(items.map((one, place) => ({ ...one, place })))],
  )
  return rows.map(({ place }) => place).sort((one, other) => one - other)
}

/** Everything that making one writes, without what is another each time. */
async function written(checkoutId: string): Promise<unknown> {
  const { rows } = await at.database.pool.query<{ written: unknown }>(
    `SELECT jsonb_build_object(
      'checkout', to_jsonb(c) - '{id,created_at,expires_at}'::text[], 'life', expires_at - c.created_at,
      'key', to_jsonb(k) - '{key,checkout_id,created_at}'::text[], 'at once', k.created_at = c.created_at,
      'number', n.number ~ '^CS[0-9]{8}$', 'given', n.given_at = c.created_at
    ) AS written
    FROM checkouts c JOIN idempotency_keys k ON k.checkout_id = c.id
    LEFT JOIN pay_bill_numbers n ON n.checkout_id = c.id WHERE c.id = $1`,
    [checkoutId],
  )
  return present(rows[0]).written
}

test('a checkout writes the same, made together or alone', async () => {
  const accountId = await at.pay.merchant()
  const alone = present((await create(accountId)).checkout)
  const one = item(accountId, { pay_bill_number: 'CS99999992' })
  expect(await together([one])).toEqual([0])
  expect(await written(one.checkout_id)).toEqual(await written(alone.checkoutId))
})

test('what is not ordinary is left out, and does not stop the others', async () => {
  const [accountId, frozen] = [await at.pay.merchant(), await at.pay.merchant()]
  await at.database.pool.query('UPDATE wallets SET frozen_at = now() WHERE account_id = $1', [
    frozen,
  ])
  await create(accountId, 'taken')
  const twice = unique('key-')
  const items = [
    item(accountId),
    item(accountId, { key: 'taken' }),
    item(frozen),
    item('acc_nobody'),
    item(accountId, { key: twice }),
    item(accountId, { key: twice }),
    item(accountId),
  ]
  const made = await together(items)
  expect(made).toHaveLength(3)
  expect(made).toEqual([0, made[1] === 4 ? 4 : 5, 6])
})

test('fifty at one moment are made by a few commits, each caller has its own, and a replay has its first', async () => {
  const accountId = await at.pay.merchant()
  const keys = Array.from({ length: 25 }, () => unique('key-'))
  // A machine with other things to do does not answer all in time; who got no answer asks again by the same key.
  const untilMade = async (key: string) =>
    eventually('a checkout', () => create(accountId, key).catch(orUnavailable))
  const answers = await Promise.all([...keys, ...keys].map(untilMade))
  const ids = answers.map(({ checkout }) => present(checkout).checkoutId)
  expect(ids.slice(25)).toEqual(ids.slice(0, 25))
  expect(new Set(ids).size).toBe(25)
  expect(answers.filter(({ replayed }) => replayed).length).toBeGreaterThanOrEqual(25)
  const { rows } = await at.database.pool.query<{ commits: number; numbers: number }>(
    `SELECT count(DISTINCT c.created_at)::int AS commits, count(n.number)::int AS numbers
    FROM checkouts c LEFT JOIN pay_bill_numbers n ON n.checkout_id = c.id WHERE c.account_id = $1`,
    [accountId],
  )
  expect(rows[0]?.commits).toBeLessThan(25)
  expect(rows[0]?.numbers).toBe(25)
})

test('one that cannot be made fails alone, and the others are made', async () => {
  const accountId = await at.pay.merchant()
  await at.database.pool.query(`
    CREATE TRIGGER poison BEFORE INSERT ON idempotency_keys FOR EACH ROW
      WHEN (NEW.key = 'poison') EXECUTE FUNCTION refuse_change('poison')`)
  const keys = ['a', 'b', 'c', 'd', 'e', 'poison', 'f', 'g']
  const answers = await Promise.allSettled(keys.map(async (key) => create(accountId, key)))
  await at.database.pool.query('DROP TRIGGER poison ON idempotency_keys')
  const failed = keys.filter((_, place) => answers[place]?.status === 'rejected')
  expect(failed).toEqual(['poison'])
  expect((await create(accountId, 'poison')).replayed).toBe(false)
})

test('two who take the same keys in opposite orders never lock one another out', async () => {
  const accountId = await at.pay.merchant()
  const items = Array.from({ length: 200 }, () => item(accountId))
  const others = [...items].reverse().map((one) => ({ ...item(accountId), key: one.key }))
  const made = await Promise.all([together(items), together(others)])
  expect(made.flat()).toHaveLength(200)
})
