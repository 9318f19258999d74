import { eventually } from '@malipo/testing/eventually'
import type { Started } from '@malipo/runtime/process'
import type { Attempt } from '../gateway.harness'
import { logged, openSurroundings, type Surroundings } from '../start.harness'

// These payments exceed the amount that a callback alone credits, so the worker's own status query decides.

const large = 9_000_000n
const largeShillings = 90_000

let around: Surroundings
let worker: Started

beforeAll(async () => {
  around = await openSurroundings()
  worker = await around.startWorker()
  // Pull Transactions is off: Safaricom grants it by hand, which takes days, so no statement helps here.
  const effect = { kind: 'lie', code: 'not_registered' }
  await around.control('POST', '/rules', { on: 'pull', effect })
})

afterAll(async () => {
  await worker.stop()
  await around.stop()
})

const statusOf = async ({ checkoutId }: Attempt) => (await around.attempt(checkoutId))?.status

async function postedTo({ checkoutId }: Attempt): Promise<{ receipt: string; minor: string }[]> {
  const { rows } = await around.database.pool.query<{ receipt: string; minor: string }>(
    `SELECT i.receipt, t.minor FROM intents i JOIN transfers t ON t.event_key = 'receipt:mpesa:' || i.receipt
     WHERE i.checkout_id = $1`,
    [checkoutId],
  )
  return rows
}

test('a prompt that its payer approved completes by the status query, with the receipt of the callback', async () => {
  const attempt = await around.pay(await around.addPhone(), undefined, large)
  await eventually('it is paid', async () => {
    return (await statusOf(attempt)) === 'INTENT_STATUS_COMPLETED'
  })
  const [booked] = (await around.control('GET', '/book')) as { receipt: string }[]
  expect(await postedTo(attempt)).toEqual([{ receipt: booked?.receipt, minor: String(large) }])
})

test('row 5: a prompt whose answer was lost completes once, by the query about the prompt that the callback names', async () => {
  await around.control('POST', '/rules', { on: 'push', effect: { kind: 'reset' }, times: 1 })
  const attempt = await around.pay(await around.addPhone(), undefined, large)
  await eventually('it is paid', async () => {
    return (await statusOf(attempt)) === 'INTENT_STATUS_COMPLETED'
  })
  const { rows } = await around.database.pool.query(
    `SELECT provider_request_id, kind FROM intents i JOIN provider_messages m ON m.intent_id = i.id
     WHERE i.id = $1 AND m.result = 'settled'`,
    [attempt.intentId],
  )
  expect(rows).toEqual([{ provider_request_id: null, kind: 'query_answer' }])
  const posted = await postedTo(attempt)
  const booked = (await around.control('GET', '/book')) as { receipt: string }[]
  expect(posted).toEqual([{ receipt: expect.any(String) as string, minor: String(large) }])
  expect(booked.map(({ receipt }) => receipt)).toContain(posted[0]?.receipt)
})

test('a forged callback of a stolen gateway credits nothing, however often the provider is queried', async () => {
  const attempt = await around.pay(await around.addPhone('cancel', 60_000), undefined, large)
  await eventually('the phone rings', async () => {
    return (await statusOf(attempt)) === 'INTENT_STATUS_PENDING'
  })
  const { token, request } = await promptOf(attempt)
  const receipt = 'FORGED0001'
  await around.sendCallback(token, approved({ request, receipt }))
  await eventually('it is read', () => logged.find((line) => line.includes(receipt)))
  await eventually('the provider has answered twice', async () => {
    const { rowCount } = await around.database.pool.query(
      "SELECT FROM provider_messages WHERE intent_id = $1 AND kind = 'query_answer'",
      [attempt.intentId],
    )
    return (rowCount ?? 0) >= 2
  })
  expect(await postedTo(attempt)).toEqual([])
  expect(await statusOf(attempt)).toBe('INTENT_STATUS_PENDING')
})

test('a prompt that a status query reports paid without a receipt completes by a later callback from an unlisted address, and its provider is not queried again before that', async () => {
  await around.control('POST', '/rules', { on: 'callback', effect: { kind: 'drop' }, times: 1 })
  const attempt = await around.pay(await around.addPhone(), undefined, large)
  await eventually('the query answers "paid"', async () => {
    const { rowCount } = await around.database.pool.query(
      'SELECT FROM intents WHERE id = $1 AND receipt_wanted',
      [attempt.intentId],
    )
    return rowCount === 1
  })
  const handedOutAt = new Set<string>()
  await eventually('two more queries are handed out', async () => {
    handedOutAt.add(await askedAt(attempt))
    return handedOutAt.size === 3
  })
  const { rowCount: answers } = await around.database.pool.query(
    "SELECT FROM provider_messages WHERE intent_id = $1 AND kind = 'query_answer'",
    [attempt.intentId],
  )
  expect(answers).toBe(1)
  const booked = (await around.control('GET', '/book')) as { receipt: string }[]
  const { receipt = '' } = booked.at(-1) ?? {}
  const { token, request } = await promptOf(attempt)
  await around.sendCallback(token, approved({ request, receipt }), false)
  await eventually('it is paid', async () => {
    return (await statusOf(attempt)) === 'INTENT_STATUS_COMPLETED'
  })
  expect(await postedTo(attempt)).toEqual([{ receipt, minor: String(large) }])
})

/** When the last query about an attempt was handed out. */
async function askedAt({ intentId }: Attempt): Promise<string> {
  const { rows } = await around.database.pool.query<{ at: string }>(
    'SELECT asked_at::text AS at FROM intents WHERE id = $1',
    [intentId],
  )
  return rows[0]?.at ?? ''
}

/** The callback token and the request id by which the provider knows a prompt. */
async function promptOf({ intentId }: Attempt): Promise<{ token: string; request: string }> {
  const { rows } = await around.database.pool.query<{ token: string; request: string }>(
    `SELECT replace(id, 'pi_', '') || callback_secret AS token, provider_request_id AS request
     FROM intents WHERE id = $1`,
    [intentId],
  )
  return rows[0] ?? { token: '', request: '' }
}

/** Daraja's callback for an approved prompt. */
function approved({ request, receipt }: { readonly request: string; readonly receipt: string }) {
  const items = {
    Amount: largeShillings,
    MpesaReceiptNumber: receipt,
    TransactionDate: 20_261_122_094_500,
    PhoneNumber: 254_708_374_149,
  }
  return {
    Body: {
      stkCallback: {
        MerchantRequestID: '29115-34620561-1',
        CheckoutRequestID: request,
        ResultCode: 0,
        ResultDesc: 'The service request is processed successfully.',
        CallbackMetadata: { Item: Object.entries(items).map(([Name, Value]) => ({ Name, Value })) },
      },
    },
  }
}
