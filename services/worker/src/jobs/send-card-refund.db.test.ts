import type { Started } from '@malipo/runtime/process'
import { eventually } from '@malipo/testing/eventually'
import type { Operators } from '../operators.harness'
import { openSurroundings, type Surroundings } from '../start.harness'

/** Card money that goes back, between a real ledger and a gateway of another author. No callback reports it: it is queried. */

let around: Surroundings
let worker: Started
let operators: Operators

beforeAll(async () => {
  around = await openSurroundings()
  worker = await around.startWorker()
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

/** KES 500.00 and a fee of KES 18.00, paid by card; answers the order. */
async function paid(): Promise<string> {
  const attempt = await around.payByCard()
  const session = await eventually('the page is open', () => around.sessionOf(attempt))
  const card = { number: '5111111111111118', month: '01', year: '39', csc: '100', name: 'A K' }
  await fetch(`${around.simulatorUrl}/checkout/pay/${session}`, {
    ...{ method: 'POST', redirect: 'manual' },
    body: new URLSearchParams(card),
  })
  await eventually('it is paid', async () => {
    const found = await around.attempt(attempt.checkoutId)
    return found?.status === 'INTENT_STATUS_COMPLETED'
  })
  return attempt.intentId
}

const refund = (orderId: string) => operators.refund(`card:${orderId}-1`)

const becomes = (id: string, status: string) =>
  eventually(
    `the refund is ${status}`,
    async () =>
      (await one<{ status: string }>('SELECT status FROM refunds WHERE id = $1', [id]))?.status ===
      status,
  )

/** What the gateway's book says went back of an order. */
const given = async (orderId: string) =>
  ((await around.control('GET', '/book')) as { account: string }[]).filter(
    ({ account }) => account === `${orderId}-1`,
  )

async function legs(orderId: string) {
  const { rows } = await around.database.pool.query(
    `SELECT split_part(debit, ':', 1) AS from, minor FROM transfers
     WHERE event_key = $1 AND credit = 'float:card' ORDER BY leg`,
    [`refunded:card:${orderId}-1`],
  )
  return rows as unknown[]
}

const bothWays = [
  { from: 'wallet', minor: '50000' },
  { from: 'fee', minor: '1800' },
]

test('a payment of today is voided, and both the merchant and we give back what we got', async () => {
  const orderId = await paid()
  const id = await refund(orderId)
  await becomes(id, 'paid')
  expect(await given(orderId)).toMatchObject([
    { kind: 'card_void', amount: '51800', receipt: `${orderId}-${id}-void` },
  ])
  expect(await legs(orderId)).toEqual(bothWays)
})

test('one that the bank has settled is refunded', async () => {
  const orderId = await paid()
  // The gateway says no to the first of the two, as it does once the batch is settled.
  const settled = { on: 'refund', effect: { kind: 'error', error: 'invalid_request' }, times: 1 }
  await around.control('POST', '/rules', settled)
  const id = await refund(orderId)
  await becomes(id, 'paid')
  expect(await given(orderId)).toMatchObject([
    { kind: 'card_refund', amount: '51800', receipt: `${orderId}-${id}-refund` },
  ])
  expect(await legs(orderId)).toEqual(bothWays)
})

test('a lost answer is asked about, and the money goes back once', async () => {
  const orderId = await paid()
  const lost = { on: 'refund', effect: { kind: 'reset', performed: true }, times: 1 }
  await around.control('POST', '/rules', lost)
  const id = await refund(orderId)
  await eventually('the outcome is unknown', () =>
    one(`SELECT 1 FROM refunds WHERE id = $1 AND provider_code IS NOT NULL`, [id]),
  )
  expect(await legs(orderId)).toEqual([])
  await one('UPDATE refunds SET next_action_at = now() WHERE id = $1', [id])
  await becomes(id, 'paid')
  expect(await given(orderId)).toHaveLength(1)
  expect(await legs(orderId)).toEqual(bothWays)
})

test('what never arrived has failed half an hour later, and may be asked for again', async () => {
  const orderId = await paid()
  const lost = { on: 'refund', effect: { kind: 'reset', performed: false }, times: 1 }
  await around.control('POST', '/rules', lost)
  const id = await refund(orderId)
  await eventually('the outcome is unknown', () =>
    one(`SELECT 1 FROM refunds WHERE id = $1 AND provider_code IS NOT NULL`, [id]),
  )
  const ask = (submittedAgo: string) =>
    one(
      `UPDATE refunds SET next_action_at = now(), submitted_at = now() - $2::interval WHERE id = $1`,
      [id, submittedAgo],
    )
  await ask('1 minute')
  await eventually('it stands', () =>
    one(`SELECT 1 FROM provider_messages WHERE refund_id = $1 AND result = 'kept'`, [id]),
  )
  await ask('31 minutes')
  await becomes(id, 'failed')
  expect(await legs(orderId)).toEqual([])
  await becomes(await refund(orderId), 'paid')
  expect(await given(orderId)).toHaveLength(1)
})
