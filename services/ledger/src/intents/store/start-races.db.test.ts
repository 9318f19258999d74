import { StartOutcome } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { cards } from '../../cards/cards.harness'
import { ledgerOfFile, type TestLedger } from '../../ledger.harness'
import { eventually } from '@malipo/testing/eventually'
import { insist, present, unique, uniquePhone } from '../../payments.harness'
import { letPass } from '../../time.harness'

type Replica = Pick<TestLedger, 'ledger' | 'pay'>

const at = ledgerOfFile()
let replicas: readonly [Replica, Replica]

beforeAll(async () => {
  await at.database.pool.query(
    `ALTER DATABASE ${new URL(at.database.ownerUrl).pathname.slice(1)} SET deadlock_timeout = '20ms'`,
  )
  replicas = [await at.another(), await at.another()]
})

const reasonOf = (error: unknown) => (error as { reason?: string }).reason ?? String(error)

async function numbersOf(checkoutIds: readonly string[]): Promise<number[]> {
  const { rows } = await at.database.pool.query<{ begun: number }>(
    `SELECT count(i.id)::int AS begun FROM unnest($1::text[]) c (id) LEFT JOIN intents i ON i.checkout_id = c.id
    GROUP BY c.id`,
    [checkoutIds],
  )
  return rows.map(({ begun }) => begun)
}

async function inFlight(): Promise<number> {
  const { rowCount } = await at.database.pool.query(
    `SELECT FROM intents WHERE ended_at IS NULL AND submitted_at IS NOT NULL`,
  )
  return rowCount ?? 0
}

async function deadlocks(): Promise<number> {
  const { rows } = await at.database.pool.query<{ deadlocks: number }>(
    'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
  )
  return rows[0]?.deadlocks ?? 0
}

test('two ledgers that start 20 checkouts from 5 phones at one moment begin one attempt of each, and never deadlock', async () => {
  const accountId = await at.pay.merchant(true)
  const checkoutIds: string[] = []
  while (checkoutIds.length < 20) {
    checkoutIds.push((await at.pay.checkout({ accountId })).checkoutId)
  }
  const phones = Array.from({ length: 5 }, () => uniquePhone())
  const phoneOf = (place: number) => phones[place % phones.length] ?? ''
  const byPhone = ({ pay }: Replica, ids: readonly string[]) =>
    ids.map((id, place) => insist(() => pay.start(id, { phone: phoneOf(place) })))
  const answers = await Promise.allSettled([
    ...byPhone(replicas[0], checkoutIds),
    ...byPhone(replicas[1], checkoutIds.toReversed()),
    ...checkoutIds.map((id) => insist(() => cards({ ...at, ...replicas[1] }).start(id))),
  ])
  const refusals = answers.flatMap((one) =>
    one.status === 'rejected' ? [reasonOf(one.reason)] : [],
  )
  expect(new Set([...refusals, 'payment_in_progress', 'rate_limited'])).toEqual(
    new Set(['payment_in_progress', 'rate_limited']),
  )
  expect(await numbersOf(checkoutIds)).toEqual(checkoutIds.map(() => 1))
  expect(await deadlocks()).toBe(0)
})

test('two ledgers that get one key for a handle from 20 phones at one moment begin one attempt', async () => {
  const accountId = await at.pay.merchant()
  const idempotencyKey = unique('key-')
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, place) => {
      const { pay } = place % 2 === 0 ? replicas[0] : replicas[1]
      return insist(() => pay.startHandle(accountId, { idempotencyKey }))
    }),
  )
  expect(new Set(answers.map(({ intent }) => intent?.intentId)).size).toBe(1)
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
})

/** A checkout with a pending attempt: its test lets the attempt expire. */
async function lateMoney() {
  const { checkoutId } = await at.pay.checkout()
  const attempt = await at.pay.pending(checkoutId)
  return { checkoutId, attempt }
}

test('late money and a new start at one moment: a prompt is never sent for a checkout that was paid', async () => {
  const late = await Promise.all(Array.from({ length: 12 }, lateMoney))
  await letPass(at.database, 200)
  await eventually('the attempts have expired', async () => (await inFlight()) === 0)
  const rounds = await Promise.all(
    late.map(async ({ checkoutId, attempt }) => {
      const [started] = await Promise.all([
        insist(() => replicas[0].pay.start(checkoutId)).catch(reasonOf),
        insist(() => replicas[1].pay.paid(attempt)),
      ])
      if (typeof started === 'string') return started
      const { intentId } = present(started.intent)
      const { prompt } = await insist(() => replicas[1].ledger.beginSubmit({ intentId }))
      return prompt === undefined ? 'withheld' : 'prompted'
    }),
  )
  expect(new Set([...rounds, 'checkout_paid', 'withheld'])).toEqual(
    new Set(['checkout_paid', 'withheld']),
  )
  expect(await deadlocks()).toBe(0)
})

test('a payer who presses again while an attempt expires gets that attempt, then one new one, never both in flight', async () => {
  const overdue = await Promise.all(Array.from({ length: 12 }, lateMoney))
  await letPass(at.database, 151)
  await Promise.all(
    overdue.map(({ checkoutId }, place) =>
      eventually('the next attempt starts', async () => {
        const { pay } = place % 2 === 0 ? replicas[0] : replicas[1]
        const { outcome } = await insist(() => pay.start(checkoutId))
        if (outcome !== StartOutcome.STARTED) expect(outcome).toBe(StartOutcome.IN_PROGRESS)
        return outcome === StartOutcome.STARTED
      }),
    ),
  )
  expect(await numbersOf(overdue.map(({ checkoutId }) => checkoutId))).toEqual(overdue.map(() => 2))
  expect(await deadlocks()).toBe(0)
})
