import { Pool } from 'pg'
import { cards } from '../../cards/cards.harness'
import { readCallbackToken } from '../../database/ids'
import { openLedger, type TestLedger } from '../../ledger.harness'
import { meanwhile } from '../../locks.harness'
import { insist, present, unique } from '../../payments.harness'
import { slowDown } from '../../time.harness'
import { settlePlans } from '../../database/database'
import { storeMessage, type StoreMessageCommand, storeMessages } from './provider-messages'

let at: TestLedger
let pool: Pool

beforeAll(async () => {
  at = await openLedger()
  const plans = Object.entries(settlePlans).map(([name, value]) => `-c ${name}=${value}`)
  const options = [...plans, '-c deadlock_timeout=50'].join(' ')
  pool = new Pool({ connectionString: at.database.ownerUrl, max: 2, options })
  pool.on('error', () => undefined)
})

afterAll(async () => {
  await pool.end()
  await at.close()
})

/** An attempt by M-PESA, and the token of its callback address. */
async function attempt() {
  const { intentId, callbackToken } = await at.pay.pending((await at.pay.checkout()).checkoutId)
  return { intentId, callbackToken, secret: present(readCallbackToken(callbackToken)).secret }
}

type Attempt = Awaited<ReturnType<typeof attempt>>

const callback = (
  { intentId, secret }: Pick<Attempt, 'intentId' | 'secret'>,
  changes: Partial<StoreMessageCommand> = {},
): StoreMessageCommand => ({
  messageId: `pm_${unique('').padEnd(24, '0')}`,
  intentId,
  callbackSecret: secret,
  rail: undefined,
  kind: 'callback',
  body: Buffer.from(unique('{}')),
  ...{ sourceAddress: '196.201.214.200', sourceKnown: true },
  ...changes,
})

const answer = (intentId: string, changes: Partial<StoreMessageCommand> = {}) =>
  callback(
    { intentId, secret: '' },
    { callbackSecret: undefined, kind: 'query_answer', ...changes },
  )

/** Returns for each message of a batch whether it was stored. */
async function stored(commands: readonly StoreMessageCommand[]): Promise<boolean[]> {
  const answers = await storeMessages(pool, commands)
  return answers.map((one, place) => one?.messageId === commands[place]?.messageId)
}

async function rowsOf(commands: readonly StoreMessageCommand[]) {
  const ids = commands.map(({ messageId }) => messageId)
  const { rows } = await at.database.pool.query<Record<string, unknown>>(
    `SELECT intent_id AS intent, rail, kind, digest IS NOT NULL AS counted, is_bound AS bound, body, deliveries,
      source_address AS source, source_known AS known, next_action_at - received_at < interval '2 seconds' AS soon
    FROM provider_messages WHERE id = ANY ($1) ORDER BY array_position($1, id)`,
    [ids],
  )
  return rows
}

test('stores each message of a batch word for word, with its kind', async () => {
  const mpesa = await attempt()
  const card = await cards(at).open()
  const commands = [
    callback(mpesa, { body: Buffer.from([0x7b, 0x00, 0xff]) }),
    callback(mpesa, { sourceKnown: false, sourceAddress: '' }),
    answer(mpesa.intentId, { rail: 'mpesa' }),
    answer(mpesa.intentId, { kind: 'statement_row' }),
    callback({ ...card, secret: '' }, { callbackSecret: undefined, rail: 'card' }),
    answer(card.intentId),
  ]
  expect(await stored(commands)).toEqual(commands.map(() => true))
  const row = { deliveries: 1, soon: true, bound: true, known: true, source: '196.201.214.200' }
  const ofMpesa = { ...row, intent: mpesa.intentId, rail: 'mpesa' }
  const ofCard = { ...row, intent: card.intentId, rail: 'card' }
  expect(await rowsOf(commands)).toEqual([
    { ...ofMpesa, kind: 'callback', counted: true, body: commands[0]?.body },
    {
      ...{ ...ofMpesa, kind: 'callback', counted: true, body: commands[1]?.body },
      ...{ known: false, source: '' },
    },
    { ...ofMpesa, kind: 'query_answer', counted: false, body: commands[2]?.body },
    { ...ofMpesa, kind: 'statement_row', counted: false, body: commands[3]?.body },
    { ...ofCard, kind: 'hint', counted: true, body: commands[4]?.body },
    { ...ofCard, kind: 'query_answer', counted: false, body: commands[5]?.body },
  ])
})

test('stores no message that matches no intent of ours, neither in a batch nor single', async () => {
  const [one, other] = [await attempt(), await attempt()]
  const card = await cards(at).open()
  const forged = [
    callback({ ...one, secret: other.secret }),
    callback(one, { callbackSecret: undefined }),
    callback(one, { rail: 'airtel_money' }),
    answer(one.intentId, { rail: 'card' }),
    answer('pi_gone'),
    callback({ ...card, secret: one.secret }),
  ]
  expect(await stored([callback(one), ...forged])).toEqual([true, ...forged.map(() => false)])
  for (const command of forged) {
    expect(await storeMessage(pool, command)).toEqual({ messageId: undefined })
  }
  expect(await rowsOf(forged)).toEqual([])
})

test('a batch stores its new callbacks and leaves out one that was stored before, which a single call then counts', async () => {
  const one = await attempt()
  const [first, next] = [callback(one), callback(one)]
  await storeMessage(pool, first)
  const again = { ...first, messageId: callback(one).messageId }
  expect(await stored([again, next])).toEqual([false, true])
  expect(await rowsOf([first])).toMatchObject([{ deliveries: 1 }])
  expect(await storeMessage(pool, again)).toEqual({ messageId: first.messageId })
  expect(await rowsOf([first, again])).toMatchObject([{ deliveries: 2 }])
})

test('stores one of two equal callbacks in a batch, and both of two equal answers', async () => {
  const one = await attempt()
  const body = Buffer.from('{}')
  const commands = [
    callback(one, { body }),
    callback(one, { body }),
    answer(one.intentId, { body }),
    answer(one.intentId, { body }),
  ]
  const [first, second, ...answers] = await stored(commands)
  expect([first, second].filter((isStored) => isStored)).toHaveLength(1)
  expect(answers).toEqual([true, true])
})

/** SQL that stores a callback as another ledger does. */
const stores = `
  INSERT INTO provider_messages (
    id, intent_id, rail, kind, body, digest, source_address, source_known, received_at, next_action_at, is_bound
  ) VALUES ($1, $2, 'mpesa', 'callback', $3, sha256('true'::bytea || $3), '', true, now(), now(), true)`

test('a callback that another transaction stores at the same moment is counted on the stored one', async () => {
  const { intentId, callbackToken } = await attempt()
  const body = Buffer.from(unique(''))
  const first = `pm_${unique('').padEnd(24, '0')}`
  const messageId = await meanwhile(at, [stores, [first, intentId, body]], () =>
    at.pay.callback(callbackToken, { body }),
  )
  expect(messageId).toBe(first)
  const { rows } = await at.database.pool.query(
    'SELECT id, deliveries FROM provider_messages WHERE intent_id = $1',
    [intentId],
  )
  expect(rows).toEqual([{ id: first, deliveries: 2 }])
})

/** Runs while each insert of a message takes 20 ms, so that what begins at one moment meets. */
async function slowly<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  await slowDown(at.database, 'provider_messages')
  const [ended] = await Promise.allSettled([act()])
  await at.database.pool.query('DROP TRIGGER dawdle ON provider_messages')
  if (ended.status === 'rejected') throw ended.reason
  return ended.value
}

test('two batches with the same callbacks in opposite orders store each once, and never deadlock', async () => {
  const one = await attempt()
  const bodies = Array.from({ length: 6 }, () => Buffer.from(unique('')))
  const made = await slowly(() =>
    Promise.all(
      [bodies, Array.from(bodies).reverse()].map((order) =>
        stored(order.map((body) => callback(one, { body }))),
      ),
    ),
  )
  expect(made.flat().filter((isStored) => isStored)).toHaveLength(6)
})

test('two ledgers that get one callback forty times at one moment store it once and count each', async () => {
  const { pay } = await at.another()
  const { intentId, callbackToken } = await attempt()
  const ids = await Promise.all(
    Array.from({ length: 40 }, (_, turn) =>
      insist(() => (turn % 2 === 0 ? at.pay : pay).callback(callbackToken)),
    ),
  )
  expect(new Set(ids).size).toBe(1)
  const { rows } = await at.database.pool.query<{ deliveries: number }>(
    'SELECT deliveries FROM provider_messages WHERE intent_id = $1',
    [intentId],
  )
  // A call whose answer came too late was repeated, so there may be more than forty deliveries.
  expect(rows).toHaveLength(1)
  expect(rows[0]?.deliveries).toBeGreaterThanOrEqual(40)
})
