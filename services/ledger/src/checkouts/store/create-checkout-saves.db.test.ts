import { countries } from '@malipo/kernel/countries'
import { Pool } from 'pg'
import { payBillNumber } from '../../pay-bill/rules/pay-bill'
import { openLedger, type TestLedger } from '../../ledger.harness'
import { meanwhile } from '../../locks.harness'
import { fingerprint, insist, present, unique } from '../../payments.harness'
import { past, slowDown } from '../../time.harness'
import { newEndpointId } from '../../webhooks/webhooks.harness'
import { settlePlans } from '../../database/database'
import { createCheckouts, type CreateCommand } from './create-checkout'

let at: TestLedger
let pool: Pool
let accountId: string

beforeAll(async () => {
  at = await openLedger()
  accountId = await at.pay.merchant()
  const plans = Object.entries(settlePlans).map(([name, value]) => `-c ${name}=${value}`)
  const options = [...plans, '-c deadlock_timeout=50'].join(' ')
  pool = new Pool({ connectionString: at.database.ownerUrl, max: 2, options })
  pool.on('error', () => undefined)
})

afterAll(async () => {
  await pool.end()
  await at.close()
})

const newId = () => `cs_ke_${unique('').padEnd(24, '0')}`
const command = (changes: Partial<CreateCommand> = {}): CreateCommand => ({
  checkoutId: newId(),
  accountId,
  key: unique('key-'),
  fingerprint: fingerprint.toString('hex'),
  amountMinor: 50_000n,
  payBillNumber: undefined,
  ...changes,
})
const batch = (commands: readonly CreateCommand[]) =>
  createCheckouts(pool, commands, { country: countries.ke, lifeSeconds: 1_800 })

/**
 * The answer to each command of a batch, in order: `created`, `replayed` with the checkout, a refusal, or `left out`.
 */
async function answered(commands: readonly CreateCommand[]): Promise<string[]> {
  const answers = await batch(commands)
  return answers.map((answer) => {
    if (answer?.outcome !== 'replayed') return answer?.outcome ?? 'left out'
    return `replayed ${answer.checkoutId}`
  })
}

/** SQL that takes a key as another ledger does, for another checkout. */
const takes = `
  WITH keyed AS (
    INSERT INTO idempotency_keys (scope, key, fingerprint, checkout_id, created_at)
    VALUES ('create ' || $1, $2, $3, $4, clock_timestamp())
  )
  INSERT INTO checkouts (id, account_id, amount_minor, created_at, expires_at)
  VALUES ($4, $1, 50000, clock_timestamp(), clock_timestamp() + interval '30 minutes')`

test('a key that another transaction takes at the same moment replays the checkout of that transaction', async () => {
  const [key, checkoutId] = [unique('key-'), newId()]
  const answer = await meanwhile(at, [takes, [accountId, key, fingerprint, checkoutId]], () =>
    at.ledger.createCheckout({ accountId, idempotencyKey: key, fingerprint, amountMinor: 50_000n }),
  )
  expect(answer).toMatchObject({ replayed: true, checkout: { checkoutId } })
})

test('a key that another transaction takes at the same moment for other input is a mismatch', async () => {
  const [key, other] = [unique('key-'), Buffer.alloc(32, 8)]
  const answer = meanwhile(at, [takes, [accountId, key, other, newId()]], () =>
    at.ledger.createCheckout({ accountId, idempotencyKey: key, fingerprint, amountMinor: 50_000n }),
  )
  await expect(answer).rejects.toMatchObject({ reason: 'idempotency_mismatch' })
})

test('a batch leaves out a key that another transaction takes at the same moment, and creates the others', async () => {
  const all = [command(), command(), command()] as const
  const values = [accountId, all[1].key, fingerprint, newId()]
  const answers = await meanwhile(at, [takes, values], () => answered(all))
  expect(answers).toEqual(['created', 'left out', 'created'])
  expect(await answered([all[1]])).toEqual([`replayed ${String(values[3])}`])
})

test('one of two requests with one key in a batch creates, and the other is left out', async () => {
  const key = unique('key-')
  const twice = [command({ key }), command({ key, fingerprint: 'ab'.repeat(32) })] as const
  const answers = await answered([...twice, command()])
  expect(answers.slice(0, 2).sort()).toEqual(['created', 'left out'])
  expect(answers[2]).toBe('created')
  const made = present(twice[answers.indexOf('created')])
  const again = await answered(twice.map((one) => ({ ...one, checkoutId: newId() })))
  expect(again.sort()).toEqual(['idempotency_mismatch', `replayed ${made.checkoutId}`])
})

/** Runs `act` while each insert of a key takes 20 ms, so that batches of one moment do wait for each other's keys. */
async function slowly<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  await slowDown(at.database, 'idempotency_keys')
  const [ended] = await Promise.allSettled([act()])
  await at.database.pool.query('DROP TRIGGER dawdle ON idempotency_keys')
  if (ended.status === 'rejected') throw ended.reason
  return ended.value
}

test('two batches with the same keys in opposite orders create each once, and never deadlock', async () => {
  const keys = Array.from({ length: 6 }, () => unique('key-'))
  const orders = [keys, Array.from(keys).reverse()]
  // Opens both connections first, so that neither batch begins only when the other has ended.
  await Promise.all(orders.map(async () => pool.query('SELECT 1')))
  const made = await slowly(() =>
    Promise.all(orders.map((order) => answered(order.map((key) => command({ key }))))),
  )
  expect(made.flat().filter((one) => one === 'created')).toHaveLength(keys.length)
  // On a busy machine the second batch may begin so late that it finds the checkouts of the first.
  const others = made.flat().filter((one) => one !== 'created')
  expect(others.filter((one) => !/^(?:left out|replayed cs_ke_\w+)$/.test(one))).toEqual([])
})

test('two ledgers that get the same keys at one moment create one checkout a key, and answer with it', async () => {
  const { ledger: other } = await at.another()
  const keys = Array.from({ length: 40 }, () => unique('key-'))
  const createAll = (ledger: typeof other) =>
    Promise.all(
      keys.map((idempotencyKey) =>
        insist(() =>
          ledger.createCheckout({ accountId, idempotencyKey, fingerprint, amountMinor: 50_000n }),
        ),
      ),
    )
  const [mine, theirs] = await slowly(() => Promise.all([createAll(at.ledger), createAll(other)]))
  const idOf = (answer: (typeof mine)[number]) => present(answer.checkout).checkoutId
  expect(mine.map(idOf)).toEqual(theirs.map(idOf))
  expect(new Set(mine.map(idOf)).size).toBe(40)
  const { rows } = await at.database.pool.query<{ count: number }>(
    `SELECT count(*)::int FROM idempotency_keys k JOIN checkouts c ON c.id = k.checkout_id WHERE k.key = ANY ($1)`,
    [keys],
  )
  expect(rows).toEqual([{ count: 40 }])
})

test('when two ledgers get one key with different input at once, one creates and one refuses', async () => {
  const { ledger: other } = await at.another()
  const race = async () => {
    const input = { accountId, idempotencyKey: unique('key-'), amountMinor: 50_000n }
    const answers = await Promise.allSettled([
      insist(() => at.ledger.createCheckout({ ...input, fingerprint })),
      insist(() => other.createCheckout({ ...input, fingerprint: Buffer.alloc(32, 8) })),
    ])
    return answers.map((answer) =>
      answer.status === 'fulfilled'
        ? answer.value.replayed
        : (answer.reason as { reason?: string }).reason,
    )
  }
  for (let round = 0; round < 20; round += 1) {
    expect(new Set(await race())).toEqual(new Set([false, 'idempotency_mismatch']))
  }
})

const heldBy = async (number: string) => {
  const { rows } = await at.database.pool.query<{ id: string }>(
    'SELECT checkout_id AS id FROM pay_bill_numbers WHERE number = $1',
    [number],
  )
  return rows.map(({ id }) => id)
}

test('a Pay Bill number that another checkout has had for less than a year is not given out', async () => {
  const number = payBillNumber(100)
  const [one, other] = [command({ payBillNumber: number }), command({ payBillNumber: number })]
  expect(await answered([one, command()])).toEqual(['created', 'created'])
  expect(await answered([other, command()])).toEqual(['created', 'created'])
  expect(await heldBy(number)).toEqual([one.checkoutId])
  await past(at.database, async (query) => {
    await query(`UPDATE pay_bill_numbers SET given_at = given_at - interval '366 days'`)
  })
  const third = command({ payBillNumber: number })
  await batch([third])
  expect(await heldBy(number)).toEqual([third.checkoutId])
})

test('only a checkout of an account with a webhook that is on or failed is watched for its expiry', async () => {
  const [on, failed, gone, none] = [
    await at.pay.merchant(),
    await at.pay.merchant(),
    await at.pay.merchant(),
    await at.pay.merchant(),
  ]
  for (const own of [on, on, failed, gone]) {
    await at.ledger.switchWebhookOn({ accountId: own, endpointId: newEndpointId() })
  }
  for (const off of [
    [failed, 'failing'],
    [gone, 'gone'],
  ]) {
    await at.database.pool.query(
      'UPDATE webhook_endpoints SET off_at = now(), off_because = $2 WHERE account_id = $1',
      off,
    )
  }
  const commands = [on, failed, gone, none].map((own) => command({ accountId: own }))
  await batch(commands)
  const { rows } = await at.database.pool.query<{ id: string; atExpiry: boolean }>(
    `SELECT e.checkout_id AS id, e.look_at = c.expires_at AS "atExpiry"
    FROM checkout_expiries e JOIN checkouts c ON c.id = e.checkout_id WHERE e.checkout_id = ANY ($1)`,
    [commands.map(({ checkoutId }) => checkoutId)],
  )
  const watched = commands.slice(0, 2).map(({ checkoutId }) => ({ id: checkoutId, atExpiry: true }))
  expect(rows).toHaveLength(2)
  expect(rows).toEqual(expect.arrayContaining(watched))
})
