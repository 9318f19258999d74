import type { Started } from '@malipo/runtime/process'
import { eventually } from '@malipo/testing/eventually'
import type { Operators } from '../operators.harness'
import { openSurroundings, type Surroundings } from '../start.harness'

let around: Surroundings
let worker: Started
let operators: Operators

const operator = { MPESA_INITIATOR: 'operator', MPESA_SECURITY_CREDENTIAL: 'c2VjcmV0' }

beforeAll(async () => {
  around = await openSurroundings(operator)
  worker = await around.startWorker({
    ...operator,
    C2B_PATH_SECRET: 'ab'.repeat(16),
    PAY_BILL_SECONDS: '0.2',
  })
  operators = await around.openOperators()
})

afterAll(async () => {
  operators.close()
  await worker.stop()
  await around.stop()
})

async function one<Row>(sql: string, values: unknown[]): Promise<Row | undefined> {
  const { rows } = await around.database.pool.query(sql, values)
  return rows[0] as Row | undefined
}

/** Money without an owner, and the phone that sent it. */
async function unmatched() {
  const phone = await around.addPhone('ask')
  const { receipt } = (await around.control('POST', `/phones/${phone}/paybill`, {
    business_number: '174379',
    account_number: 'rent november',
    amount: '70000',
  })) as { receipt: string }
  const subject = `mpesa:${receipt}`
  await eventually('the money is held', () =>
    one('SELECT 1 FROM suspense_items WHERE event_key = $1', [`receipt:${subject}`]),
  )
  return { phone, subject }
}

const refund = (subject: string) => operators.refund(subject)

const becomes = (id: string, status: string) =>
  eventually(
    `the refund is ${status}`,
    async () =>
      (await one<{ status: string }>('SELECT status FROM refunds WHERE id = $1', [id]))?.status ===
      status,
  )

const balance = async (phone: string) =>
  ((await around.control('GET', `/phones/${phone}`)) as { balance: string }).balance

const reversals = async (subject: string) =>
  ((await around.control('GET', '/book')) as { kind: string; account: string }[]).filter(
    ({ kind, account }) => kind === 'reversal' && `mpesa:${account}` === subject,
  )

test('names the rails by which it sends refunds as it claims: M-PESA only with an initiator', async () => {
  const other = await around.startWorker()
  const isNamed = (rails: string) =>
    eventually(`a worker names ${rails}`, () =>
      one('SELECT 1 FROM worker_refund_rails WHERE rails = $1', [rails]),
    )
  await isNamed('card,mpesa')
  await isNamed('card')
  await other.stop()
})

test('row 50: returns held money to its payer, with balanced books', async () => {
  const { phone, subject } = await unmatched()
  const id = await refund(subject)
  await becomes(id, 'paid')
  expect(await balance(phone)).toBe('10000000')
  expect(await reversals(subject)).toHaveLength(1)
  expect(await one('SELECT holder FROM money_of($1)', [subject])).toEqual({ holder: null })
})

test('queries a lost answer by the receipt, and returns the money once', async () => {
  const { subject } = await unmatched()
  const lost = { effect: { kind: 'reset', performed: true }, times: 1 }
  await around.control('POST', '/rules', { on: 'refund', ...lost })
  await around.control('POST', '/rules', { on: 'callback', effect: { kind: 'drop' }, times: 1 })
  const id = await refund(subject)
  await eventually('the outcome is unknown', () =>
    one(`SELECT 1 FROM refunds WHERE id = $1 AND provider_code IS NOT NULL`, [id]),
  )
  await one('UPDATE refunds SET next_action_at = now() WHERE id = $1', [id])
  await becomes(id, 'paid')
  expect(await reversals(subject)).toHaveLength(1)
})

test('ends a refund that the provider turned away for its rate, and one ordered after it returns the money once', async () => {
  const { phone, subject } = await unmatched()
  const throttled = { effect: { kind: 'error', error: 'spike_arrest' }, times: 1 }
  await around.control('POST', '/rules', { on: 'refund', ...throttled })
  const turnedAway = await refund(subject)
  await becomes(turnedAway, 'failed')
  expect(await balance(phone)).toBe('9930000')
  await becomes(await refund(subject), 'paid')
  expect(await reversals(subject)).toHaveLength(1)
  await becomes(turnedAway, 'failed')
})

test("leaves the money in place when the provider rejects the operator's credentials", async () => {
  const { phone, subject } = await unmatched()
  await worker.stop()
  worker = await around.startWorker({ ...operator, MPESA_INITIATOR: 'other' })
  const id = await refund(subject)
  await becomes(id, 'failed')
  expect(await balance(phone)).toBe('9930000')
  expect(await one('SELECT holder FROM money_of($1)', [subject])).toEqual({
    holder: 'suspense:unmatched',
  })
})
