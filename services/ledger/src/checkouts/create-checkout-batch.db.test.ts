import { countries } from '@malipo/kernel/countries'
import { eventually } from '@malipo/testing/eventually'
import { ledgerOfFile } from '../ledger.harness'
import { fingerprint, present, unique } from '../payments.harness'
import { type CreateCommand, createCheckouts } from './store/create-checkout'

const menu = { payBillNumberKey: Buffer.alloc(32, 3) }
const at = ledgerOfFile(menu)

const inputOf = (accountId: string, key = unique('key-')) => ({
  ...{ accountId, idempotencyKey: key, fingerprint, amountMinor: 50_000n },
  ...{ reference: 'INV-1', description: 'Shoes', returnUrl: 'https://shop.example/done' },
})
const create = async (accountId: string, key?: string) =>
  at.ledger.createCheckout(inputOf(accountId, key))

function orUnavailable(error: unknown): undefined {
  if ((error as { readonly reason?: unknown }).reason !== 'ledger_unavailable') throw error
}

const item = (accountId: string, changes: Partial<CreateCommand> = {}): CreateCommand => ({
  checkoutId: `cs_ke_${unique('').padEnd(24, '0')}`,
  accountId,
  key: unique('key-'),
  fingerprint: fingerprint.toString('hex'),
  amountMinor: 50_000n,
  ...{ reference: 'INV-1', description: 'Shoes', returnUrl: 'https://shop.example/done' },
  payBillNumber: undefined,
  ...changes,
})

/** The answer of one batch to each command, in their order. */
async function createAll(items: readonly CreateCommand[]): Promise<string[]> {
  const terms = { country: countries.ke, lifeSeconds: 1_800 }
  const answers = await createCheckouts(at.database.pool, items, terms)
  return answers.map((answer) => answer?.outcome ?? 'left out')
}

/** Everything that a creation writes, without the ids and times that differ each time. */
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

test('creating a checkout in a batch writes the same rows as creating it singly', async () => {
  const accountId = await at.pay.merchant()
  const alone = present((await create(accountId)).checkout)
  const one = item(accountId, { payBillNumber: 'CS99999992' })
  expect(await createAll([one, item(accountId)])).toEqual(['created', 'created'])
  expect(await written(one.checkoutId)).toEqual(await written(alone.checkoutId))
})

test('each request of a batch gets the answer that it would get alone', async () => {
  const [accountId, frozen] = [await at.pay.merchant(), await at.pay.merchant()]
  await at.database.pool.query('UPDATE wallets SET frozen_at = now() WHERE account_id = $1', [
    frozen,
  ])
  await create(accountId, 'taken')
  const cases = [
    [item(accountId), 'created'],
    [item(accountId, { key: undefined, fingerprint: undefined }), 'created'],
    [item(accountId, { key: 'taken' }), 'replayed'],
    [item(accountId, { key: 'taken', fingerprint: 'ab'.repeat(32) }), 'idempotency_mismatch'],
    [item(accountId, { key: 'taken', amountMinor: 99n }), 'replayed'],
    [item(accountId, { amountMinor: 99n }), 'amount_outside_limits'],
    [item(frozen), 'checkout_not_found'],
    [item(frozen, { key: 'taken' }), 'checkout_not_found'],
    [item(frozen, { key: undefined, fingerprint: undefined }), 'checkout_not_found'],
    [item('acc_unknown'), 'checkout_not_found'],
    [item(accountId), 'created'],
  ] as const
  const items = cases.map(([one]) => one)
  const outcomes = cases.map(([, outcome]) => outcome)
  expect(await createAll(items)).toEqual(outcomes)
  const { rows } = await at.database.pool.query<{ id: string }>(
    'SELECT id FROM checkouts WHERE id = ANY ($1)',
    [items.map(({ checkoutId }) => checkoutId)],
  )
  const made = items.filter((_, place) => outcomes[place] === 'created')
  expect(rows.map(({ id }) => id).sort()).toEqual(made.map(({ checkoutId }) => checkoutId).sort())
  expect(await keysOf(items)).toEqual(made.flatMap((one) => one.key ?? []).sort())
})

/** The idempotency keys that are bound to the checkouts of the items. */
async function keysOf(items: readonly CreateCommand[]): Promise<string[]> {
  const { rows } = await at.database.pool.query<{ key: string }>(
    'SELECT key FROM idempotency_keys WHERE checkout_id = ANY ($1)',
    [items.map(({ checkoutId }) => checkoutId)],
  )
  return rows.map(({ key }) => key).sort()
}

test('25 keys, each sent twice at the same moment, create 25 checkouts in fewer commits, and a replay returns the first', async () => {
  const accountId = await at.pay.merchant()
  const keys = Array.from({ length: 25 }, () => unique('key-'))
  // A busy machine does not answer all in time; a caller without an answer repeats its key.
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

test('a checkout that cannot be stored fails alone, and the others of its batch are created', async () => {
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

const restart = async () => at.database.pool.query('ALTER SEQUENCE pay_bill_places RESTART')

async function lastPlace(): Promise<unknown> {
  const { rows } = await at.database.pool.query('SELECT last_value FROM pay_bill_places')
  return rows
}

test('a repeated key and a refused checkout use up no Pay Bill number', async () => {
  const accountId = await at.pay.merchant()
  await create(accountId, 'repeated')
  const before = await lastPlace()
  for (let time = 0; time < 40; time += 1) {
    expect(await create(accountId, 'repeated')).toMatchObject({ replayed: true })
    await expect(create('acc_unknown')).rejects.toMatchObject({ reason: 'checkout_not_found' })
  }
  expect(await lastPlace()).toEqual(before)
})

test('a checkout gets a Pay Bill number of its own when the next numbers are all held', async () => {
  const accountId = await at.pay.merchant()
  await restart()
  const first = await at.another(menu)
  const createIn = async ({ ledger }: typeof first) => {
    const { checkout } = await ledger.createCheckout(inputOf(accountId))
    const { checkoutId } = present(checkout)
    return (await ledger.readCheckout({ checkoutId })).checkout?.payBillAccountNumber
  }
  const given: unknown[] = []
  for (let n = 0; n < 64; n += 1) given.push(await createIn(first))
  await restart()
  const next = await createIn(await at.another(menu))
  expect(next).toMatch(/^CS\d{8}$/)
  expect(given).not.toContain(next)
})
