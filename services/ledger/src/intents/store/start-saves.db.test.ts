import { StartOutcome } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { countries } from '@malipo/kernel/countries'
import { systemClock } from '@malipo/runtime/clock'
import { Pool } from 'pg'
import { cards } from '../../cards/cards.harness'
import { openLedger, type TestLedger } from '../../ledger.harness'
import { hold, meanwhile } from '../../locks.harness'
import { fingerprint, present, unique, uniquePhone } from '../../payments.harness'
import { openNewIds } from '../../database/ids'
import { startCardIntents } from '../../cards/store/card-sessions'
import {
  type StartHandleCommand,
  startHandleIntents,
} from '../../handles/store/start-handle-intent'
import { type StartCommand, startIntents } from './start-intent'

let at: TestLedger
let accountId: string
/**
 * Its statements fail if they wait for a lock for a second. They may wait only for a key that another transaction is
 * writing.
 */
let pool: Pool

const newIds = openNewIds(countries.ke, systemClock)
const given = { terms: { startSeconds: 60 }, isWaiting: false }

beforeAll(async () => {
  at = await openLedger()
  accountId = await at.pay.merchant(true)
  pool = new Pool({
    ...{ connectionString: at.database.url, max: 2, pipeline: true },
    options: '-c lock_timeout=1000',
  })
  pool.on('error', () => undefined)
})

afterAll(async () => {
  await pool.end()
  await at.close()
})

const ofPhone = (phone = uniquePhone()) => ({
  ...({ rail: 'mpesa', phone, wholeMajorsOnly: false } as const),
  ...{ intentId: newIds.intent(), key: unique('key-'), fingerprint },
  ...{ callbackSecret: newIds.callbackSecret(), attemptReference: newIds.attemptReference() },
})

async function checkoutId(): Promise<string> {
  return (await at.pay.checkout({ accountId })).checkoutId
}

async function command(changes: Partial<StartCommand> = {}): Promise<StartCommand> {
  return { ...ofPhone(), checkoutId: changes.checkoutId ?? (await checkoutId()), ...changes }
}

function toHandle(changes: Partial<StartHandleCommand> = {}): StartHandleCommand {
  const payee = { accountId, handle: 'Duka' }
  return { ...ofPhone(), payee, amountMinor: 50_000n, isWithinLimits: true, ...changes }
}

async function byCard() {
  const { intentId, key } = ofPhone()
  const request = { intentId, key, fingerprint, phone: undefined }
  return { ...request, checkoutId: await checkoutId(), sealedPayer: Buffer.from(intentId) }
}

/** The outcome of each start of a batch, or that the batch left it out. */
const outcomesOf = (answers: readonly ({ readonly outcome: string } | undefined)[]) =>
  answers.map((answer) => answer?.outcome ?? 'left out')

const startAll = async (commands: readonly StartCommand[]) =>
  outcomesOf(await startIntents(pool, commands, given))
const startHandles = async (commands: readonly StartHandleCommand[]) =>
  outcomesOf(await startHandleIntents(pool, commands, given))
const startCards = async (commands: readonly Awaited<ReturnType<typeof byCard>>[]) => {
  const terms = { startSeconds: 60, sessionSeconds: 900, cardFeeBps: 350n }
  return outcomesOf(await startCardIntents(pool, commands, { terms, isWaiting: false }))
}

/** Returns the answer of `act` while another transaction has locked the phone. */
async function whilePhoneHeld<Answer>(phone: string, act: () => Promise<Answer>): Promise<Answer> {
  const other = await at.database.pool.connect()
  await other.query('BEGIN')
  await other.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [phone])
  return act().finally(() => {
    other.release(true)
  })
}

/** Returns the answer of `act` while another transaction has locked the checkout. */
async function whileCheckoutHeld<Answer>(id: string, act: () => Promise<Answer>): Promise<Answer> {
  const held = await hold(at, 'checkouts', id)
  const [ended] = await Promise.allSettled([act()])
  await held.letGo()
  if (ended.status === 'rejected') throw ended.reason
  return ended.value
}

async function intentsWhere(column: 'checkout_id' | 'phone', value: string): Promise<number> {
  const { rowCount } = await at.database.pool.query(`SELECT FROM intents WHERE ${column} = $1`, [
    value,
  ])
  return rowCount ?? 0
}

/** Begins an attempt of a checkout, behind the lock of the checkout or of the phone. */
const beginning = (lock: string) => `
  WITH locked AS MATERIALIZED (${lock})
  INSERT INTO intents (
    id, checkout_id, rail, phone, amount_minor, asked_minor, status, event, created_at, deadline_at, callback_secret,
    attempt_reference
  )
  SELECT $1, $2, 'mpesa', $3, 50000, 50000, 'created', 'accepted', clock_timestamp(), clock_timestamp() + interval '1 minute',
    'secret', $4
  FROM locked`
const behindCheckout = beginning('SELECT FROM checkouts WHERE id = $2 FOR NO KEY UPDATE')
const behindPhone = beginning('SELECT pg_advisory_xact_lock(hashtextextended($3, 0))')

test('answers "in progress" with an attempt that another transaction begins at the same moment', async () => {
  const [checkout, other] = [await checkoutId(), newIds.intent()]
  const values = [other, checkout, uniquePhone(), newIds.attemptReference()]
  const { outcome, intent } = await meanwhile(at, [behindCheckout, values], () =>
    at.pay.start(checkout),
  )
  expect([outcome, intent?.intentId]).toEqual([StartOutcome.IN_PROGRESS, other])
})

test('refuses a start by card while another transaction begins an attempt at the same moment', async () => {
  const [checkout, other] = [await checkoutId(), newIds.intent()]
  const values = [other, checkout, uniquePhone(), newIds.attemptReference()]
  const refused = meanwhile(at, [behindCheckout, values], () => cards(at).start(checkout))
  await expect(refused).rejects.toMatchObject({ reason: 'payment_in_progress' })
})

test.each<[string, (phone: string) => Promise<unknown>]>([
  ['checkout', async (phone) => at.pay.start(await checkoutId(), { phone })],
  ['handle', (phone) => at.pay.startHandle(accountId, { phone })],
])(
  'a fifth prompt that another transaction begins on the phone at the same moment limits a start of a %s',
  async (_, start) => {
    const phone = uniquePhone()
    for (let prompt = 0; prompt < 4; prompt += 1) await start(phone)
    const values = [newIds.intent(), await checkoutId(), phone, newIds.attemptReference()]
    const refused = meanwhile(at, [behindPhone, values], () => start(phone))
    await expect(refused).rejects.toMatchObject({ reason: 'rate_limited' })
    expect(await intentsWhere('phone', phone)).toBe(5)
  },
)

test('a key for a handle that another transaction takes at the same moment is a replay, and starts nothing', async () => {
  const { intent } = await at.pay.startHandle(accountId)
  const [phone, idempotencyKey] = [uniquePhone(), unique('key-')]
  const takes = `INSERT INTO idempotency_keys (scope, key, fingerprint, intent_id, created_at)
    VALUES ($1, $2, $3, $4, now())`
  const values = [`pay handle ${accountId}`, idempotencyKey, fingerprint, present(intent).intentId]
  const answer = await meanwhile(at, [takes, values], () =>
    at.pay.startHandle(accountId, { phone, idempotencyKey }),
  )
  expect(answer).toEqual({ intent, replayed: true })
  expect(await intentsWhere('phone', phone)).toBe(0)
})

test('when two accounts use one key in a batch, only the request that another transaction takes is left out', async () => {
  const { intent } = await at.pay.startHandle(accountId)
  const own = toHandle()
  const others = toHandle({
    key: own.key,
    payee: { accountId: await at.pay.merchant(), handle: 'Kiosk' },
  })
  const takes = `INSERT INTO idempotency_keys (scope, key, fingerprint, intent_id, created_at)
    VALUES ($1, $2, $3, $4, now())`
  const values = [`pay handle ${accountId}`, own.key, fingerprint, present(intent).intentId]
  const outcomes = await meanwhile(at, [takes, values], () => startHandles([own, others]))
  expect(outcomes).toEqual(['left out', 'started'])
})

test('a batch leaves out a start whose checkout another transaction holds, and starts the others', async () => {
  const all = [await command(), await command(), await command()] as const
  const outcomes = await whileCheckoutHeld(all[1].checkoutId, () => startAll(all))
  expect(outcomes).toEqual(['started', 'left out', 'started'])
  expect(await intentsWhere('checkout_id', all[1].checkoutId)).toBe(0)
})

test('a batch leaves out a start by card whose checkout another transaction holds', async () => {
  const all = [await byCard(), await byCard(), await byCard()] as const
  const outcomes = await whileCheckoutHeld(all[1].checkoutId, () => startCards(all))
  expect(outcomes).toEqual(['started', 'left out', 'started'])
  expect(await intentsWhere('checkout_id', all[1].checkoutId)).toBe(0)
})

test('a batch leaves out a start whose phone another transaction holds, and starts the others', async () => {
  const all = [await command(), await command()] as const
  const outcomes = await whilePhoneHeld(all[1].phone, () => startAll(all))
  expect(outcomes).toEqual(['started', 'left out'])
})

test('a batch leaves out a payment to a handle whose phone another transaction holds', async () => {
  const all = [toHandle(), toHandle()] as const
  const outcomes = await whilePhoneHeld(all[0].phone, () => startHandles(all))
  expect(outcomes).toEqual(['left out', 'started'])
})

test('leaves out the second of two starts for one checkout in a batch, whatever their phones', async () => {
  const one = await command()
  const all = [one, await command({ checkoutId: one.checkoutId }), await command()]
  expect(await startAll(all)).toEqual(['started', 'left out', 'started'])
  const again = await command({ checkoutId: one.checkoutId })
  expect(await startAll([one, again, one])).toEqual(['replayed', 'in_progress', 'replayed'])
})

test('leaves out the second of two starts on one phone in a batch', async () => {
  const one = await command()
  expect(await startAll([one, await command({ phone: one.phone })])).toEqual([
    ...['started', 'left out'],
  ])
  const other = toHandle()
  expect(await startHandles([other, toHandle({ phone: other.phone })])).toEqual([
    ...['started', 'left out'],
  ])
})

test('leaves out the second of two payments to handles with one key in a batch', async () => {
  const one = toHandle()
  const again = toHandle({ key: one.key })
  expect(await startHandles([one, again])).toEqual(['started', 'left out'])
  expect(await startHandles([again])).toEqual(['replayed'])
  expect(await intentsWhere('phone', again.phone)).toBe(0)
})

test('leaves out the second of two starts by card for one checkout in a batch', async () => {
  const one = await byCard()
  const all = [one, { ...(await byCard()), checkoutId: one.checkoutId }]
  expect(await startCards(all)).toEqual(['started', 'left out'])
})

test('each start of a batch is written as it was asked for, with its key and its steps', async () => {
  const one = await command({ wholeMajorsOnly: true })
  const cents = await at.pay.checkout({ accountId, amountMinor: 50_050n })
  const other = await command({ ...cents, wholeMajorsOnly: true })
  await startAll([one, other])
  const { rows } = await at.database.pool.query(
    `SELECT i.id, i.checkout_id, i.rail, i.phone, i.amount_minor, i.asked_minor, i.status, i.callback_secret,
      i.attempt_reference, k.scope, k.created_at = i.created_at AS same,
      extract(epoch FROM i.deadline_at - i.created_at)::int AS deadline,
      extract(epoch FROM i.next_action_at - i.created_at)::int AS next,
      (SELECT string_agg(s.to_status, ' ' ORDER BY s.step) FROM intent_steps s WHERE s.intent_id = i.id) AS steps
    FROM intents i JOIN idempotency_keys k ON k.intent_id = i.id
    WHERE k.key = ANY ($1) AND k.fingerprint = $2 ORDER BY array_position($1, k.key)`,
    [[one.key, other.key], fingerprint],
  )
  const written = ({ intentId, checkoutId, rail, phone, ...rest }: StartCommand) => ({
    ...{ id: intentId, checkout_id: checkoutId, rail, phone, scope: `pay ${checkoutId}` },
    ...{ callback_secret: rest.callbackSecret, attempt_reference: rest.attemptReference },
    ...{ status: 'reserved', steps: 'created reserved', same: true, deadline: 60, next: 1 },
  })
  expect(rows).toEqual([
    { ...written(one), amount_minor: '50000', asked_minor: '50000' },
    { ...written(other), amount_minor: '50050', asked_minor: '50100' },
  ])
})

test('each start by card of a batch is written with its page and what its payer entered', async () => {
  const all = [await byCard(), await byCard()]
  await startCards(all)
  const { rows } = await at.database.pool.query(
    `SELECT s.intent_id AS "intentId", s.sealed_payer AS "sealedPayer", s.fee_minor AS fee,
      extract(epoch FROM s.expires_at - i.created_at)::int AS life
    FROM card_sessions s JOIN intents i ON i.id = s.intent_id
    WHERE i.checkout_id = ANY ($1) ORDER BY array_position($1, i.checkout_id)`,
    [all.map((one) => one.checkoutId)],
  )
  const written = all.map(({ intentId, sealedPayer }) => ({ intentId, sealedPayer }))
  expect(rows).toEqual(written.map((one) => ({ ...one, fee: '1800', life: 900 })))
})
