import type { Started } from '@malipo/runtime/process'
import { eventually } from '@malipo/testing/eventually'
import type { Operators } from '../operators.harness'
import { openSurroundings, type Surroundings } from '../start.harness'

/**
 * Refunds of card payments between a real ledger and an independent card gateway. No callback reports a refund: it is
 * queried.
 */

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

/** A card payment of KES 500.00 with a fee of KES 18.00; returns the order's id. */
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

/** The entries of the simulator's book that give back the money of an order. */
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

test('a payment of today is voided: the merchant returns the amount, and we return our fee', async () => {
  const orderId = await paid()
  const id = await refund(orderId)
  await becomes(id, 'paid')
  expect(await given(orderId)).toMatchObject([
    { kind: 'card_void', amount: '51800', receipt: `${orderId}-${id}-void` },
  ])
  expect(await legs(orderId)).toEqual(bothWays)
})

test('refunds a payment that the bank has settled, as it can no longer be voided', async () => {
  const orderId = await paid()
  // The card gateway refuses the void, as it does once the batch is settled.
  const settled = { on: 'refund', effect: { kind: 'error', error: 'invalid_request' }, times: 1 }
  await around.control('POST', '/rules', settled)
  const id = await refund(orderId)
  await becomes(id, 'paid')
  expect(await given(orderId)).toMatchObject([
    { kind: 'card_refund', amount: '51800', receipt: `${orderId}-${id}-refund` },
  ])
  expect(await legs(orderId)).toEqual(bothWays)
})

test('a refund with a lost answer is queried, and the money goes back once', async () => {
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

test('a refund that never arrived fails half an hour later, and may be requested again', async () => {
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

test('a refund whose bank has not answered stays open after half an hour, and nothing more is sent', async () => {
  const orderId = await paid()
  const open = { on: 'refund', effect: { kind: 'lie', code: 'TIMED_OUT' }, times: 1 }
  await around.control('POST', '/rules', open)
  const id = await refund(orderId)
  await eventually('the outcome is unknown', () =>
    one(`SELECT 1 FROM refunds WHERE id = $1 AND provider_code IS NOT NULL`, [id]),
  )
  await one(
    `UPDATE refunds SET next_action_at = now(), submitted_at = now() - interval '31 minutes' WHERE id = $1`,
    [id],
  )
  const answered = () =>
    one(`SELECT result FROM provider_messages WHERE refund_id = $1 AND result IS NOT NULL`, [id])
  expect(await eventually('the order was asked for', answered)).toEqual({ result: 'kept' })
  await becomes(id, 'submitted')
  expect(await given(orderId)).toEqual([])
})
