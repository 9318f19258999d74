import {
  EvidenceResult,
  IntentStatus,
  ProviderMessageKind,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import { openLedger, type TestLedger } from '../ledger.harness'
import { confirmed, insist, type Pending, present, uniqueReceipt } from '../payments.harness'
import { letPass, slowDown } from '../time.harness'
import { evidence } from './evidence.harness'

let at: TestLedger
let pay: TestLedger['pay']
let heard: ReturnType<typeof evidence>

beforeAll(async () => {
  at = await openLedger()
  pay = at.pay
  heard = evidence(at)
})

afterAll(() => at.close())

/** A message that says "it was paid", as `settle_together` takes it. */
interface Item {
  readonly intentId: string
  readonly message_id: string
  readonly receipt: string
  readonly amount_minor: string | undefined
  readonly provider_request_id: string | undefined
}

async function item(attempt: Pending, changes: Partial<Item> = {}): Promise<Item> {
  return {
    intentId: attempt.intentId,
    message_id: await pay.callback(attempt.callbackToken),
    receipt: uniqueReceipt(),
    amount_minor: String(attempt.amountMinor),
    provider_request_id: attempt.providerRequestId,
    ...changes,
  }
}

/** What the database settles of them by one statement, each in its place. */
async function together(items: readonly Item[]): Promise<string[]> {
  const { rows } = await at.database.pool.query<{ place: number; result: string }>(
    'SELECT * FROM settle_together($1, p_unconfirmed_max_minor => 50000)',
    [JSON.stringify(items.map((one, place) => ({ ...one, place })))],
  )
  const results = new Map(rows.map(({ place, result }) => [place, result]))
  return items.map((_, place) => results.get(place) ?? 'left out')
}

/** The same, said by itself. */
async function alone(one: Item, by = at.ledger) {
  const { message_id: messageId, receipt, amount_minor: amount, provider_request_id: request } = one
  const fact = confirmed({
    receipt,
    ...(amount !== undefined && { amountMinor: BigInt(amount) }),
    ...(request !== undefined && { providerRequestId: request }),
  })
  return by.applyEvidence({ messageId, fact })
}

/** Everything that a settlement writes, without what is another each time. */
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
    item(attempt, { message_id: await pay.fetched(attempt.intentId, kind), ...changes })

test.each<[string, (attempt: Pending) => Promise<Item>]>([
  ['a callback in order', async (attempt) => item(attempt)],
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
      return item(attempt, {
        message_id: await pay.callback(attempt.callbackToken, { body: Buffer.from('late') }),
      })
    },
  ],
  [
    'money after the end',
    async (attempt) => {
      await ended(attempt, 200)
      return item(attempt)
    },
  ],
])('%s writes the same, settled together or alone', async (_, prepare) => {
  const [one, other] = [await heard.pending(), await heard.pending()]
  const twins = [await prepare(one), await prepare(other)] as const
  expect(await together([twins[0]])).toEqual(['settled'])
  expect(await alone(twins[1])).toMatchObject({ result: EvidenceResult.SETTLED })
  expect(await written(twins[0])).toEqual(await written(twins[1]))
})

test('what is not ordinary is left out, and does not stop the others', async () => {
  const pending = () => heard.pending()
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
  const unknownSource = await pay.callback(elsewhere.callbackToken, { sourceKnown: false })
  const [one, other] = [await pending(), await pending()]
  const claimed = uniqueReceipt()
  const handle = await pay.pendingToHandle(await pay.merchant())
  const items = [
    await item(await pending()),
    await item(await pending(), { amount_minor: '49900' }),
    await fetched(ProviderMessageKind.STATEMENT_ROW, { amount_minor: '49900' })(await pending()),
    await item(await pending(), { provider_request_id: 'ws_CO_other' }),
    await item(elsewhere, { message_id: unknownSource }),
    await item(frozen),
    await item(await pending(), { receipt: posted }),
    await item(paidByAnother),
    await item(one, { receipt: claimed }),
    await item(other, { receipt: claimed }),
    await item(handle),
    await item(await pending(), { message_id: 'pm_nobody' }),
    await item(await pending()),
  ]
  const left = Array.from({ length: 11 }, () => 'left out')
  expect(await together(items)).toEqual(['settled', ...left, 'settled'])
  // Nothing was written about them, and each is applied as it always was.
  const results = await Promise.all(
    items.slice(1, 11).map(async (one) => (await alone(one)).result),
  )
  expect(results.filter((result) => result === EvidenceResult.SETTLED)).toHaveLength(5)
  expect(results.filter((result) => result === EvidenceResult.ALREADY_SETTLED)).toHaveLength(2)
  expect(results.filter((result) => result === EvidenceResult.KEPT)).toHaveLength(3)
})

test('two messages about one attempt and two attempts of one checkout are left to be applied one after the other', async () => {
  const twice = await heard.pending()
  const copies = [
    await item(twice),
    await item(twice, {
      message_id: await pay.callback(twice.callbackToken, { body: Buffer.from('2') }),
    }),
  ]
  const { checkoutId } = await pay.checkout()
  const older = await pay.pending(checkoutId)
  await pay.declined(older)
  const late = await pay.callback(older.callbackToken, { body: Buffer.from('late') })
  const both = [await item(older, { message_id: late }), await item(await pay.pending(checkoutId))]
  expect(await together([...copies, ...both])).toEqual(Array.from({ length: 4 }, () => 'left out'))
  await Promise.all(both.map((one) => alone(one)))
  expect(await heard.suspended(checkoutId)).toHaveLength(1)
})

test('what was applied before is answered as it was', async () => {
  const one = await item(await heard.pending())
  expect(await together([one, one])).toEqual(['left out', 'left out'])
  expect(await together([one])).toEqual(['settled'])
  expect(await together([one, one])).toEqual(['settled', 'settled'])
  const { rows } = await at.database.pool.query('SELECT 1 FROM transfers WHERE event_key = $1', [
    `receipt:mpesa:${one.receipt}`,
  ])
  expect(rows).toHaveLength(1)
})

test('a checkout that somebody holds is not waited for', async () => {
  const [held, free] = [await heard.pending(), await heard.pending()]
  const items = [await item(held), await item(free)]
  const client = await at.database.pool.connect()
  await client.query('BEGIN')
  await client.query('SELECT FROM checkouts WHERE id = $1 FOR UPDATE', [held.checkoutId])
  expect(await together(items)).toEqual(['left out', 'settled'])
  await client.query('COMMIT')
  client.release()
  expect(await together(items)).toEqual(['settled', 'settled'])
})

test('row 67: cut off in the middle, it has settled all of them or none', async () => {
  const items = await many(8)
  const receipts = items.map(({ receipt }) => receipt).sort()
  await at.database.pool.query(`
    CREATE FUNCTION cut_off() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(10); RETURN NEW; END $$;
    CREATE TRIGGER cut_off BEFORE INSERT ON transfers FOR EACH ROW
      WHEN (NEW.event_key = 'receipt:mpesa:${present(receipts[5])}') EXECUTE FUNCTION cut_off()`)
  await expect(together(items)).rejects.toThrow(/terminating connection|Connection terminated/)
  await at.database.pool.query('DROP TRIGGER cut_off ON transfers')
  const { rows } = await at.database.pool.query(
    `SELECT 1 FROM transfers WHERE event_key = ANY ($1)`,
    [receipts.map((receipt) => `receipt:mpesa:${receipt}`)],
  )
  expect(rows).toEqual([])
  expect(new Set(await together(items))).toEqual(new Set(['settled']))
})

/** So many payments of one merchant whose money comes at one moment. */
async function many(count: number): Promise<Item[]> {
  const accountId = await pay.merchant()
  const items: Item[] = []
  while (items.length < count) {
    const { checkoutId } = await pay.checkout({ accountId })
    items.push(await item(await pay.pending(checkoutId)))
  }
  return items
}

test('payments at one moment are settled by a few commits, and each caller hears of its own', async () => {
  const items = await many(24)
  const answers = await Promise.all(items.map((one) => alone(one)))
  expect(answers).toEqual(
    items.map(() => ({ result: EvidenceResult.SETTLED, status: IntentStatus.COMPLETED })),
  )
  const { rows } = await at.database.pool.query<{ commits: number }>(
    'SELECT count(DISTINCT applied_at)::int AS commits FROM provider_messages WHERE id = ANY ($1)',
    [items.map(({ message_id }) => message_id)],
  )
  expect(rows[0]?.commits).toBeLessThan(24)
})

test('one that cannot be settled fails alone, and the others are settled', async () => {
  const items = await many(20)
  const poisoned = present(items[11])
  await at.database.pool.query(`
    CREATE TRIGGER poison BEFORE INSERT ON transfers FOR EACH ROW
      WHEN (NEW.event_key = 'receipt:mpesa:${poisoned.receipt}') EXECUTE FUNCTION refuse_change('poison')`)
  const answers = await Promise.allSettled(items.map((one) => alone(one)))
  expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  expect(answers[11]).toMatchObject({ reason: { reason: 'internal' } })
  await at.database.pool.query('DROP TRIGGER poison ON transfers')
  expect(await alone(poisoned)).toMatchObject({ result: EvidenceResult.SETTLED })
})

test('row 79: two lots that claim the same receipts in opposite orders never lock one another out', async () => {
  await slowDown(at.database, 'transfers')
  const [these, those] = [await many(8), await many(8)]
  const rivals = those.map((one, place) => ({ ...one, receipt: present(these[place]).receipt }))
  const [results, others] = await Promise.all([together(these), together(rivals.reverse())])
  expect([...results, ...others].filter((result) => result === 'settled')).toHaveLength(8)
})

test('two ledgers that settle the same in opposite orders settle each once', async () => {
  const other = await at.another()
  const items = await many(20)
  const answers = await Promise.all([
    ...items.map((one) => insist(() => alone(one))),
    ...[...items].reverse().map((one) => insist(() => alone(one, other.ledger))),
  ])
  expect(new Set(answers.map(({ result }) => result))).toEqual(new Set([EvidenceResult.SETTLED]))
  const { rows } = await at.database.pool.query(
    'SELECT 1 FROM transfers WHERE event_key = ANY ($1)',
    [items.map(({ receipt }) => `receipt:mpesa:${receipt}`)],
  )
  expect(rows).toHaveLength(20)
})
