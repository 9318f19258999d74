import {
  EvidenceResult,
  IntentStatus,
  ProviderMessageKind,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import type { TestLedger } from '../ledger.harness'
import { type Pending, present, uniqueReceipt } from '../payments.harness'
import { letPass } from '../time.harness'
import { type Batches, type Item, openBatches } from './batches.harness'
import { evidence } from './evidence.harness'

let batches: Batches
let at: TestLedger
let pay: TestLedger['pay']
let received: ReturnType<typeof evidence>

beforeAll(async () => {
  batches = await openBatches()
  at = batches.at
  pay = at.pay
  received = evidence(at)
})

afterAll(() => batches.close())

/** Everything that a settlement writes, without the ids and times that differ each time. */
async function written({ intentId, message_id, receipt }: Item): Promise<unknown> {
  const { rows } = await at.database.pool.query<{ written: unknown }>(
    `SELECT jsonb_build_object(
      'intent', to_jsonb(i) - '{id,checkout_id,phone,callback_secret,attempt_reference,provider_request_id,receipt}'::text[],
      'message', to_jsonb(m) - '{id,intent_id,digest,receipt}'::text[],
      'receipts', (i.receipt = $3) = (m.receipt = $3),
      'transfer', (SELECT jsonb_build_object(
        'debit', debit, 'credit', split_part(credit, ':', 1), 'minor', minor, 'leg', leg, 'currency', currency,
        'mine', credit = 'wallet:' || c.account_id)
        FROM transfers WHERE event_key = 'receipt:mpesa:' || $3),
      'steps', (SELECT jsonb_agg(jsonb_build_array(from_status, event, to_status) ORDER BY step)
        FROM intent_steps s WHERE s.intent_id = i.id)
    ) AS written
    FROM intents i JOIN checkouts c ON c.id = i.checkout_id, provider_messages m WHERE i.id = $1 AND m.id = $2`,
    [intentId, message_id, receipt],
  )
  const times = /"\d{4}-\d\d-\d\dT[^"]*"/g
  return JSON.parse(JSON.stringify(present(rows[0]).written).replace(times, '"then"'))
}

async function ended(attempt: Pending, seconds: number) {
  await letPass(at.database, seconds)
  await eventually(
    'it ended',
    async () => (await pay.status(attempt.intentId)) === IntentStatus.EXPIRED,
  )
}

const fetched =
  (kind: ProviderMessageKind, changes: Partial<Item>) =>
  async (attempt: Pending): Promise<Item> =>
    batches.item(attempt, {
      message_id: await pay.fetched(attempt.intentId, kind),
      ...changes,
    })

test.each<[string, (attempt: Pending) => Promise<Item>]>([
  ['a callback in order', async (attempt) => batches.item(attempt)],
  [
    'a query that names no amount and no request',
    fetched(ProviderMessageKind.QUERY_ANSWER, {
      amount_minor: undefined,
      provider_request_id: undefined,
    }),
  ],
  ['a row of the statement', fetched(ProviderMessageKind.STATEMENT_ROW, {})],
  [
    'money after a "no"',
    async (attempt) => {
      await pay.declined(attempt)
      return batches.item(attempt, {
        message_id: await pay.callback(attempt.callbackToken, {
          body: Buffer.from('late'),
        }),
      })
    },
  ],
  [
    'money after the attempt expired',
    async (attempt) => {
      await ended(attempt, 200)
      return batches.item(attempt)
    },
  ],
])('%s writes the same rows, settled in a batch or singly', async (_, prepare) => {
  const [one, other] = [await received.pending(), await received.pending()]
  const twins = [await prepare(one), await prepare(other)] as const
  expect(await batches.settle([twins[0]])).toEqual(['settled'])
  expect(await batches.alone(twins[1])).toMatchObject({
    result: EvidenceResult.SETTLED,
  })
  expect(await written(twins[0])).toEqual(await written(twins[1]))
})

test('a batch also applies unusual messages, and leaves out a message that claims the receipt of another payment', async () => {
  const pending = () => received.pending()
  const frozen = await pending()
  await at.database.pool.query('UPDATE wallets SET frozen_at = now() WHERE account_id = $1', [
    frozen.accountId,
  ])
  const posted = uniqueReceipt()
  await pay.paid(await pending(), { receipt: posted })
  const { checkoutId } = await pay.checkout()
  const older = await pay.pending(checkoutId)
  await pay.declined(older)
  const paidByAnother = await pay.pending(checkoutId)
  await pay.paid(older, { receipt: uniqueReceipt() })
  const elsewhere = await pending()
  const unknownSource = await pay.callback(elsewhere.callbackToken, {
    sourceKnown: false,
  })
  const [one, other] = [await pending(), await pending()]
  const claimed = uniqueReceipt()
  const handle = await pay.pendingToHandle(await pay.merchant())
  const items = [
    await batches.item(await pending()),
    await batches.item(await pending(), { amount_minor: '49900' }),
    await fetched(ProviderMessageKind.STATEMENT_ROW, { amount_minor: '49900' })(await pending()),
    await batches.item(await pending(), { provider_request_id: 'ws_CO_other' }),
    await batches.item(elsewhere, { message_id: unknownSource }),
    await batches.item(frozen),
    await batches.item(await pending(), { receipt: posted }),
    await batches.item(paidByAnother),
    await batches.item(one, { receipt: claimed }),
    await batches.item(other, { receipt: claimed }),
    await batches.item(handle),
    await batches.item(await pending(), { message_id: 'pm_unknown' }),
    await batches.item(await pending()),
  ]
  expect(await batches.settle(items)).toEqual([
    'settled',
    'kept',
    'settled',
    'kept',
    'kept',
    'settled',
    'left out',
    'settled',
    'settled',
    'left out',
    'settled',
    'left out',
    'settled',
  ])
  expect(await received.suspended(frozen.checkoutId)).toMatchObject([{ reason: 'unmatched' }])
  expect(await received.suspended(checkoutId)).toMatchObject([{ reason: 'duplicate' }])
  // Nothing was written for the messages that were left out, so they can be applied alone.
  const rivals = [present(items[6]), present(items[9])]
  const results = await Promise.all(rivals.map(async (one) => (await batches.alone(one)).result))
  expect(results).toEqual([EvidenceResult.CONTRADICTION, EvidenceResult.CONTRADICTION])
})

test('a second message about one intent, and about another intent of one checkout, waits for the next batch', async () => {
  const twice = await received.pending()
  const copies = [
    await batches.item(twice),
    await batches.item(twice, {
      message_id: await pay.callback(twice.callbackToken, {
        body: Buffer.from('2'),
      }),
    }),
  ]
  const { checkoutId } = await pay.checkout()
  const older = await pay.pending(checkoutId)
  await pay.declined(older)
  const late = await pay.callback(older.callbackToken, {
    body: Buffer.from('late'),
  })
  const both = [
    await batches.item(older, { message_id: late }),
    await batches.item(await pay.pending(checkoutId)),
  ]
  expect(await batches.settle([...copies, ...both])).toEqual([
    ...['settled', 'left out'],
    ...['settled', 'left out'],
  ])
  await Promise.all([copies[1], both[1]].map((one) => batches.alone(present(one))))
  expect(await received.suspended(checkoutId)).toHaveLength(1)
  expect(await received.suspended(twice.checkoutId)).toHaveLength(1)
})

test('a message that was applied before gets its earlier result again and posts nothing', async () => {
  const one = await batches.item(await received.pending())
  expect(await batches.settle([one, one])).toEqual(['settled', 'left out'])
  expect(await batches.settle([one, one])).toEqual(['settled', 'settled'])
  const { rows } = await at.database.pool.query('SELECT 1 FROM transfers WHERE event_key = $1', [
    `receipt:mpesa:${one.receipt}`,
  ])
  expect(rows).toHaveLength(1)
})

test('a batch leaves out a message whose checkout is locked, and settles the others', async () => {
  const [held, free] = [await received.pending(), await received.pending()]
  const items = [await batches.item(held), await batches.item(free)]
  const client = await at.database.pool.connect()
  await client.query('BEGIN')
  await client.query('SELECT FROM checkouts WHERE id = $1 FOR UPDATE', [held.checkoutId])
  expect(await batches.settle(items)).toEqual(['left out', 'settled'])
  await client.query('COMMIT')
  client.release()
  expect(await batches.settle(items)).toEqual(['settled', 'settled'])
})
