import { IntentStatus } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { promptTimes } from '@malipo/kernel/prompts'
import { Pool } from 'pg'
import { cards } from '../../cards/cards.harness'
import { openLedger, type TestLedger } from '../../ledger.harness'
import { hold, meanwhile } from '../../locks.harness'
import { present, uniquePhone } from '../../payments.harness'
import { beginSubmits } from './begin-submit'
import { recordSubmits } from './record-submit'

let at: TestLedger
/** Its statements fail if they wait for a lock for a second, because none of them may wait. */
let pool: Pool

beforeAll(async () => {
  at = await openLedger()
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

async function started(phone = uniquePhone()) {
  const { checkoutId } = await at.pay.checkout()
  const { intentId } = present((await at.pay.start(checkoutId, { phone })).intent)
  return { intentId, checkoutId, phone }
}

/** Returns the answer of `act` while another transaction has locked a row. */
async function whileHeld<Answer>(
  [table, id]: readonly ['checkouts' | 'intents', string],
  act: () => Promise<Answer>,
): Promise<Answer> {
  const held = await hold(at, table, id)
  const [ended] = await Promise.allSettled([act()])
  await held.letGo()
  if (ended.status === 'rejected') throw ended.reason
  return ended.value
}

async function startedByCard(): Promise<string> {
  const accountId = await at.pay.merchant(true)
  const { checkoutId } = await at.pay.checkout({ accountId })
  return present((await cards(at).start(checkoutId)).intent).intentId
}

async function submitted(): Promise<string> {
  const { intentId } = await started()
  await at.ledger.beginSubmit({ intentId })
  return intentId
}

/** Returns for each attempt of a batch whether its prompt is handed out, it has none, or the batch leaves it out. */
async function begun(intentIds: readonly string[]): Promise<string[]> {
  const commands = intentIds.map((intentId) => ({ intentId, mtnMomoPlatform: undefined }))
  const terms = { promptTimes, cardQueryAfterSeconds: 30 }
  const answers = await beginSubmits(pool, commands, { terms, isWaiting: false })
  return answers.map((answer) => {
    if (answer === undefined) return 'left out'
    return answer.order === undefined ? 'none' : 'handed out'
  })
}

const accepted = (intentId: string, providerRequestId = `ws_${intentId}`) =>
  ({ intentId, outcome: 'accepted', providerRequestId, opened: undefined }) as const
const unknown = (intentId: string) =>
  ({ intentId, outcome: 'unknown', detail: 'ETIMEDOUT' }) as const

async function callsOf(intentIds: readonly string[]): Promise<(string | null)[]> {
  const { rows } = await at.database.pool.query<{ id: string; outcome: string | null }>(
    'SELECT intent_id AS id, outcome FROM wire_attempts WHERE intent_id = ANY ($1)',
    [intentIds],
  )
  const outcomes = new Map(rows.map(({ id, outcome }) => [id, outcome]))
  return intentIds.map((id) => outcomes.get(id) ?? null)
}

test('hands out no prompt of an attempt whose deadline another transaction moves to now at the same moment', async () => {
  const { intentId } = await started()
  const moved = `UPDATE intents SET deadline_at = clock_timestamp() WHERE id = $1`
  const answer = await meanwhile(at, [moved, [intentId]], () => at.ledger.beginSubmit({ intentId }))
  expect(answer).toEqual({})
  expect(await at.pay.status(intentId)).not.toBe(IntentStatus.SUBMITTED)
})

test('an attempt is queued behind a prompt that another transaction begins on its phone', async () => {
  const phone = uniquePhone()
  const { intentId } = await started(phone)
  const other = await started(phone)
  const begins = `
    WITH locked AS MATERIALIZED (
      SELECT pg_advisory_xact_lock(hashtextextended($2, 0))
    ), begun AS (
      UPDATE intents SET status = 'submitted', event = 'submitted', submitted_at = clock_timestamp()
      FROM locked WHERE id = $1 RETURNING id, rail, submitted_at
    )
    INSERT INTO wire_attempts (intent_id, rail, began_at) SELECT id, rail, submitted_at FROM begun`
  const answer = await meanwhile(at, [begins, [other.intentId, phone]], () =>
    at.ledger.beginSubmit({ intentId }),
  )
  expect(answer).toEqual({})
  expect(await at.pay.status(intentId)).toBe(IntentStatus.RESERVED)
})

test('a batch leaves out an attempt whose checkout another transaction holds, and hands out the others', async () => {
  const all = [await started(), await started(), await started()] as const
  const held = ['checkouts', all[1].checkoutId] as const
  const answers = await whileHeld(held, () => begun(all.map(({ intentId }) => intentId)))
  expect(answers).toEqual(['handed out', 'left out', 'handed out'])
  expect(await at.pay.status(all[1].intentId)).toBe(IntentStatus.RESERVED)
})

test('a batch leaves out an attempt that another transaction holds, and hands out the others', async () => {
  const all = [await started(), await started(), await started()] as const
  const held = ['intents', all[1].intentId] as const
  const answers = await whileHeld(held, () => begun(all.map(({ intentId }) => intentId)))
  expect(answers).toEqual(['handed out', 'left out', 'handed out'])
  expect(await at.pay.status(all[1].intentId)).toBe(IntentStatus.RESERVED)
})

test('a batch leaves out an attempt whose phone another transaction holds, and hands out the others', async () => {
  const all = [await started(), await started()] as const
  const other = await at.database.pool.connect()
  await other.query('BEGIN')
  await other.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [all[0].phone])
  const answers = await begun(all.map(({ intentId }) => intentId)).finally(() => {
    other.release(true)
  })
  expect(answers).toEqual(['left out', 'handed out'])
})

test('leaves out the second of two attempts on one phone in a batch', async () => {
  const phone = uniquePhone()
  const [one, other, third] = [await started(phone), await started(phone), await started()] as const
  const ids = [one, other, third].map(({ intentId }) => intentId)
  expect(await begun(ids)).toEqual(['handed out', 'left out', 'handed out'])
})

test('leaves out the second of two calls for one card page in a batch', async () => {
  const intentId = await startedByCard()
  expect(await begun([intentId, intentId])).toEqual(['handed out', 'left out'])
})

test('an attempt that is acknowledged at the moment at which "not sent" is recorded for it stays pending', async () => {
  const intentId = await submitted()
  const acknowledges = `UPDATE intents SET status = 'pending', event = 'acknowledged' WHERE id = $1`
  const outcome = { $case: 'notSent', value: { detail: 'ECONNREFUSED' } } as const
  const answer = await meanwhile(at, [acknowledges, [intentId]], () =>
    at.ledger.recordSubmit({ intentId, outcome }),
  )
  expect(answer).toEqual({ status: IntentStatus.PENDING })
  expect(await at.pay.status(intentId)).toBe(IntentStatus.PENDING)
})

test('recording the end of a call does not overwrite what evidence writes to the intent at the same moment', async () => {
  const intentId = await submitted()
  const denies = `UPDATE intents SET denied_code = 'late', provider_request_id = 'ws_first' WHERE id = $1`
  const outcome = { $case: 'accepted', value: { providerRequestId: 'ws_late' } } as const
  await meanwhile(at, [denies, [intentId]], () => at.ledger.recordSubmit({ intentId, outcome }))
  const { rows } = await at.database.pool.query(
    'SELECT status, denied_code, provider_request_id FROM intents WHERE id = $1',
    [intentId],
  )
  expect(rows).toEqual([
    { status: 'pending', denied_code: 'late', provider_request_id: 'ws_first' },
  ])
})

test('a batch leaves out the end of a call whose attempt another transaction holds, and records the others', async () => {
  const ids = [await submitted(), await submitted(), await submitted()] as const
  const held = ['intents', ids[1]] as const
  const commands = ids.map((intentId) => accepted(intentId))
  const answers = await whileHeld(held, () => recordSubmits(pool, commands, false))
  expect(answers.map((answer) => answer?.recorded?.status)).toEqual([
    'pending',
    undefined,
    'pending',
  ])
  expect(answers[1]).toBeUndefined()
  expect(await callsOf(ids)).toEqual(['accepted', null, 'accepted'])
})

test('each call of a batch is recorded as it ended', async () => {
  const ids = [await submitted(), await submitted(), await submitted(), await submitted()] as const
  const commands = [
    unknown(ids[0]),
    accepted(ids[1]),
    { intentId: ids[2], outcome: 'refused', cause: 'session_open', providerCode: '17' },
    { intentId: ids[3], outcome: 'not_sent', cause: 'not_started', detail: 'ECONNREFUSED' },
  ] as const
  await recordSubmits(pool, commands, false)
  const { rows } = await at.database.pool.query(
    `SELECT i.status, i.event, i.provider_request_id AS named, i.cause, i.provider_code AS code, w.outcome, w.detail
    FROM intents i JOIN wire_attempts w ON w.intent_id = i.id WHERE i.id = ANY ($1) ORDER BY array_position($1, i.id)`,
    [ids],
  )
  const nothing = { named: null, cause: null, code: null, detail: null }
  const failed = { ...nothing, status: 'failed', event: 'refused' }
  expect(rows).toEqual([
    {
      ...nothing,
      status: 'submitted',
      event: 'submitted',
      outcome: 'unknown',
      detail: 'ETIMEDOUT',
    },
    {
      ...nothing,
      status: 'pending',
      event: 'acknowledged',
      outcome: 'accepted',
      named: `ws_${ids[1]}`,
    },
    { ...failed, cause: 'session_open', code: '17', outcome: 'refused', detail: '17' },
    { ...failed, cause: 'not_started', outcome: 'not_sent', detail: 'ECONNREFUSED' },
  ])
})

test('leaves out the second of two ends of one call in a batch', async () => {
  const intentId = await submitted()
  const answers = await recordSubmits(pool, [unknown(intentId), accepted(intentId)], false)
  expect(answers).toMatchObject([{ recorded: { status: 'submitted' } }, undefined])
  expect(await callsOf([intentId])).toEqual(['unknown'])
})

test.each([true, false])(
  'the first page of a card is kept (saved singly: %s)',
  async (isWaiting) => {
    const intentId = await startedByCard()
    await at.ledger.beginSubmit({ intentId })
    for (const sessionId of ['S1', 'S2']) {
      const opened = { sessionId, successIndicator: `ok ${sessionId}` }
      const commands = [{ ...accepted(intentId), opened }, accepted(await submitted())]
      await recordSubmits(pool, isWaiting ? commands.slice(0, 1) : commands, isWaiting)
    }
    const { rows } = await at.database.pool.query(
      'SELECT session_id, success_indicator FROM card_sessions WHERE intent_id = $1',
      [intentId],
    )
    expect(rows).toEqual([{ session_id: 'S1', success_indicator: 'ok S1' }])
  },
)
