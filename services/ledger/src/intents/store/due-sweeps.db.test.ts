import { Pool } from 'pg'
import { openLedger, type TestLedger } from '../../ledger.harness'
import { present } from '../../payments.harness'
import { past } from '../../time.harness'
import { claimDue } from './claim-due'
import { expireOverdue } from './expire-overdue'

let at: TestLedger
/** Its statements fail if they wait for a lock for a second, because none of them may wait. */
let pool: Pool
const pending: string[] = []
const reserved: string[] = []
const messages: string[] = []

/** The ledger of this file is stopped, so that only the tests sweep. */
beforeAll(async () => {
  at = await openLedger()
  const made = await Promise.all(Array.from({ length: 45 }, () => at.pay.checkout()))
  for (const [place, { checkoutId }] of made.entries()) {
    if (place < 3) {
      reserved.push(present((await at.pay.start(checkoutId)).intent).intentId)
      continue
    }
    const { intentId, callbackToken } = await at.pay.pending(checkoutId)
    pending.push(intentId)
    const body = Buffer.from(`undecided ${intentId}`)
    if (place < 15) messages.push(await at.pay.callback(callbackToken, { body }))
  }
  await at.ledger.stop()
  pool = new Pool({
    ...{ connectionString: at.database.url, max: 4, pipeline: true },
    options: '-c lock_timeout=1000',
  })
  pool.on('error', () => undefined)
})

beforeEach(() =>
  past(at.database, async (query) => {
    await query(`UPDATE intents SET next_action_at = now() + interval '1 hour'
      WHERE next_action_at IS NOT NULL`)
    await query(`UPDATE provider_messages SET claims = 0, next_action_at = now() + interval '1 hour'
      WHERE next_action_at IS NOT NULL`)
    await query('DELETE FROM wanted_payees')
  }),
)

afterAll(async () => {
  await pool.end()
  await at.close()
})

const sweep = (limit = 100) => expireOverdue(pool, { limit, queryEverySeconds: 15 })
const terms = { leaseSeconds: 5, claimsPerMessageMax: 10 }
const claim = async (limit = 100) => {
  const due = await claimDue(pool, { limit, ...terms })
  return due.map(({ kind, id }) => `${kind} ${id}`)
}

/** Makes rows due: the first id has been due for the longest time. */
async function makeDue(
  [table, key, time]: readonly [string, string, string],
  ids: readonly string[],
): Promise<void> {
  await past(at.database, async (query) => {
    await query(
      `UPDATE ${table} SET ${time} = now() - interval '10 seconds' * (1 + cardinality($1::text[]) - array_position($1, ${key}))
      WHERE ${key} = ANY ($1)`,
      [ids],
    )
  })
}
const deadlines = ['intents', 'id', 'deadline_at'] as const
const actions = ['intents', 'id', 'next_action_at'] as const
const readings = ['provider_messages', 'id', 'next_action_at'] as const

async function wanted(ids: readonly string[], claims = 0): Promise<void> {
  await past(at.database, (query) =>
    query(
      `INSERT INTO wanted_payees (message_id, receipt, next_action_at, claims)
      SELECT id, 'R' || id, now() - interval '1 second', $2 FROM unnest($1::text[]) id`,
      [ids, claims],
    ).then(() => undefined),
  )
}

/** Returns the answer of `act` while another transaction has locked a row. */
async function whileHeld<Answer>(
  [table, key, id]: readonly [string, string, string],
  act: () => Promise<Answer>,
): Promise<Answer> {
  const other = await at.database.pool.connect()
  await other.query('BEGIN')
  await other.query(`SELECT FROM ${table} WHERE ${key} = $1 FOR NO KEY UPDATE`, [id])
  return act().finally(() => {
    other.release(true)
  })
}

async function rowsOf(columns: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await at.database.pool.query<{ row: string }>(
    `SELECT concat_ws(' ', ${columns}) AS row FROM intents i WHERE i.id = ANY ($1) ORDER BY array_position($1, i.id)`,
    [ids],
  )
  return rows.map(({ row }) => row)
}

test('a sweep leaves an intent that another transaction holds, and ends the others', async () => {
  const ids = pending.splice(0, 3)
  await makeDue(deadlines, ids)
  const ended = await whileHeld(['intents', 'id', ids[1] ?? ''], () => sweep())
  expect(ended).toBe(2)
  expect(await rowsOf('status', ids)).toEqual(['expired', 'pending', 'expired'])
  expect(await sweep()).toBe(1)
})

test('an intent whose deadline is moved while a sweep loads is not ended', async () => {
  const ids = pending.splice(0, 2)
  await makeDue(deadlines, ids)
  const other = await at.database.pool.connect()
  const moves = async () => {
    await other.query('BEGIN')
    await other.query(`UPDATE intents SET deadline_at = now() + interval '1 hour' WHERE id = $1`, [
      ids[0],
    ])
    const ended = await sweep()
    await other.query('COMMIT')
    return ended
  }
  const ended = await moves().finally(() => {
    other.release(true)
  })
  expect([ended, await sweep()]).toEqual([1, 0])
  expect(await rowsOf('status', ids)).toEqual(['pending', 'expired'])
})

test('four sweeps at once end each intent once', async () => {
  const ids = pending.splice(0, 12)
  await makeDue(deadlines, ids)
  const ended = await Promise.all([sweep(5), sweep(5), sweep(5), sweep(5)])
  const rest = await sweep()
  expect(ended.reduce((sum, count) => sum + count, rest)).toBe(12)
  const steps = `(SELECT count(*) FROM intent_steps s WHERE s.intent_id = i.id AND s.event = 'lapsed')`
  expect(await rowsOf(`status, ${steps}`, ids)).toEqual(ids.map(() => 'expired 1'))
})

test('a sweep ends the longest overdue first, as unconfirmed where a prompt was sent, else as not started', async () => {
  const ids = [pending.pop() ?? '', reserved.pop() ?? '', pending.pop() ?? '']
  await makeDue(deadlines, ids)
  expect(await sweep(2)).toBe(2)
  const columns = `status, event, cause, query_at > ended_at, query_at = next_action_at,
    num_nulls(query_at, next_action_at, deadline_at)`
  expect(await rowsOf(columns, ids)).toEqual([
    'expired lapsed unconfirmed t t 1',
    'expired lapsed not_started 3',
    'pending acknowledged f 0',
  ])
  expect(await sweep()).toBe(1)
})

test('a claim leaves what another transaction holds, and hands out the others', async () => {
  const [intents, read, payees] = [pending.slice(0, 2), messages.slice(0, 2), messages.slice(2, 4)]
  const again = async () => {
    await makeDue(actions, intents)
    await makeDue(readings, read)
    await past(at.database, (query) => query('DELETE FROM wanted_payees').then(() => undefined))
    await wanted(payees)
  }
  const names = [
    ...intents.map((id) => `query ${id}`),
    ...[...read, ...payees].map((id) => `read ${id}`),
  ]
  const held = [
    ['intents', 'id', intents[0] ?? ''],
    ['provider_messages', 'id', read[0] ?? ''],
    ['wanted_payees', 'message_id', payees[0] ?? ''],
  ] as const
  for (const row of held) {
    await again()
    const claimed = await whileHeld(row, () => claim())
    expect(claimed.sort()).toEqual(names.filter((name) => !name.endsWith(row[2])).sort())
  }
})

test('four claims at once hand out each piece of work once', async () => {
  const [intents, read, payees] = [pending.slice(0, 6), messages.slice(0, 4), messages.slice(4)]
  await makeDue(actions, intents)
  await makeDue(readings, read)
  await wanted(payees)
  const shares = await Promise.all([claim(4), claim(4), claim(4), claim(4)])
  const claimed = [...shares.flat(), ...(await claim())]
  expect(claimed.sort()).toEqual(
    [
      ...intents.map((id) => `query ${id}`),
      ...[...read, ...payees].map((id) => `read ${id}`),
    ].sort(),
  )
})

test('a claim hands out the longest due, leases a message longer each time, and parks one read ten times', async () => {
  const [sent = '', request = ''] = [reserved[0], pending[0]]
  const [first = '', often = '', parked = '', last = '', payee = ''] = messages
  await makeDue(readings, [first, sent, often, request, parked, last])
  await makeDue(actions, [first, sent, often, request, parked, last])
  await past(at.database, async (query) => {
    await query('UPDATE provider_messages SET claims = 3 WHERE id = $1', [often])
    await query('UPDATE provider_messages SET claims = 10 WHERE id = $1', [parked])
  })
  await wanted([payee], 4)
  expect(await claim(5)).toEqual([
    ...[`read ${first}`, `submit ${sent}`, `read ${often}`, `query ${request}`],
    ...[`parked ${parked}`, `read ${payee}`],
  ])
  const { rows } = await at.database.pool.query<{ leased: string }>(
    `SELECT concat_ws(' ', due.id, round(extract(epoch FROM due.at - now()) / 5) * 5, claims, result, detail) AS leased
    FROM (
      SELECT id, next_action_at AS at, NULL::int AS claims, NULL AS result, NULL AS detail FROM intents
      UNION ALL SELECT id, next_action_at, claims, result, detail FROM provider_messages WHERE id <> $2
      UNION ALL SELECT message_id, next_action_at, claims, NULL, NULL FROM wanted_payees
    ) due
    WHERE due.id = ANY ($1) ORDER BY array_position($1, due.id)`,
    [[first, sent, often, request, parked, last, payee], payee],
  )
  expect(rows.map(({ leased }) => leased)).toEqual([
    ...[`${first} 5 1`, `${sent} 5`, `${often} 40 4`, `${request} 5`],
    ...[`${parked} 10 parked read 10 times without an end`, `${last} -10 0`, `${payee} 80 5`],
  ])
})

/** Ends intents, and makes the next status query of each due. */
async function watched(ids: readonly string[]): Promise<void> {
  await makeDue(deadlines, ids)
  await sweep()
  await makeDue(actions, ids)
}

test('a claim hands out status queries of payments in flight before those of ended ones that have been due for longer', async () => {
  const [ended, fresh] = [pending.splice(0, 5), pending.slice(0, 2)]
  await watched(ended)
  await makeDue(actions, fresh)
  await past(at.database, (query) =>
    query(
      `UPDATE intents SET next_action_at = next_action_at - interval '1 hour' WHERE id = ANY ($1)`,
      [ended],
    ).then(() => undefined),
  )
  const watches = ended.map((id) => `watch ${id}`)
  const queries = fresh.map((id) => `query ${id}`)
  expect(await claim(4)).toEqual([...queries, ...watches.slice(0, 2)])
  expect(await claim(4)).toEqual(watches.slice(2))
})

test('a claim leaves an eighth of its places to status queries of ended payments, however many are in flight', async () => {
  const [ended, fresh] = [pending.splice(0, 2), pending.slice(0, 8)]
  await watched(ended)
  await makeDue(actions, [...ended, ...fresh])
  const claimed = await claim(8)
  const queries = fresh.slice(0, 7).map((id) => `query ${id}`)
  expect(claimed).toEqual([`watch ${ended[0] ?? ''}`, ...queries])
})

test('hands out a message before an intent that was leased at the same moment', async () => {
  const [intentId = '', messageId = ''] = [pending[0], messages[0]]
  await makeDue(actions, [intentId])
  await makeDue(readings, [messageId])
  await claim()
  await past(at.database, async (query) => {
    await query(`UPDATE intents SET next_action_at = next_action_at - interval '10 seconds'`)
    await query(
      `UPDATE provider_messages SET next_action_at = next_action_at - interval '10 seconds'`,
    )
  })
  expect(await claim(1)).toEqual([`read ${messageId}`])
})
