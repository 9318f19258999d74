import { IntentStatus } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { promptTimes } from '@malipo/kernel/prompts'
import { eventually } from '@malipo/testing/eventually'
import { Pool } from 'pg'
import { openLedger, type TestLedger } from '../../ledger.harness'
import { hold, meanwhile } from '../../locks.harness'
import { letPass } from '../../time.harness'
import { beginQueries } from './begin-query'

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

/** Attempts that the provider is to be asked about. */
async function queriedIntents(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let made = 0; made < count; made += 1) {
    const { checkoutId } = await at.pay.checkout()
    ids.push((await at.pay.pending(checkoutId)).intentId)
  }
  await letPass(at.database, 75)
  return ids
}

/** Returns for each attempt of a batch whether a query is handed out, none is due, or the batch leaves it out. */
async function begun(intentIds: readonly string[]): Promise<string[]> {
  const answers = await beginQueries(pool, intentIds, {
    ...{ queryEverySeconds: 15, cardQueryAfterSeconds: 60, promptTimes, isWaiting: false },
  })
  return answers.map((answer) => {
    if (answer === undefined) return 'left out'
    return answer.query === undefined ? 'none' : 'handed out'
  })
}

async function timesOf(intentId: string): Promise<unknown> {
  const { rows } = await at.database.pool.query<{ times: unknown }>(
    'SELECT jsonb_build_array(asked_at, query_at, next_action_at) AS times FROM intents WHERE id = $1',
    [intentId],
  )
  return rows[0]?.times
}

test('a query that another ledger takes at the same moment is not handed out a second time', async () => {
  const [intentId = ''] = await queriedIntents(1)
  const takes = `UPDATE intents SET asked_at = clock_timestamp(), query_at = clock_timestamp() + interval '15 seconds' WHERE id = $1`
  const answer = await meanwhile(at, [takes, [intentId]], () => at.ledger.beginQuery({ intentId }))
  expect(answer).toEqual({})
})

test('an intent that another transaction fails at the same moment is not queried', async () => {
  const [intentId = ''] = await queriedIntents(1)
  const denies = `UPDATE intents SET status = 'failed', event = 'declined', cause = 'cancelled', ended_at = clock_timestamp(),
    deadline_at = NULL, query_at = NULL, next_action_at = NULL WHERE id = $1`
  const answer = await meanwhile(at, [denies, [intentId]], () => at.ledger.beginQuery({ intentId }))
  expect(answer).toEqual({})
  expect(await timesOf(intentId)).toEqual([null, null, null])
})

test('a batch leaves out a query whose intent another transaction holds, and hands out the others', async () => {
  const ids = await queriedIntents(3)
  const held = await hold(at, 'intents', ids[1] ?? '')
  const [ended] = await Promise.allSettled([begun(ids)])
  await held.letGo()
  expect(ended).toMatchObject({ value: ['handed out', 'left out', 'handed out'] })
})

test('hands out the first of two queries about one intent in a batch, and leaves the second to run again alone', async () => {
  const [intentId = ''] = await queriedIntents(1)
  expect(await begun([intentId, intentId])).toEqual(['handed out', 'left out'])
  expect(await begun([intentId, intentId])).toEqual(['none', 'none'])
})

test('each intent of a batch is queried again at its own time, and no intent outside the batch is written', async () => {
  const [ended = ''] = await queriedIntents(1)
  await letPass(at.database, 86_400)
  await eventually('it expires', async () => (await at.pay.status(ended)) === IntentStatus.EXPIRED)
  await letPass(at.database, 3_600)
  const [waiting = '', other = ''] = await queriedIntents(2)
  const before = await timesOf(other)
  expect(await begun([waiting, ended])).toEqual(['handed out', 'handed out'])
  expect(await timesOf(other)).toEqual(before)
  const { rows } = await at.database.pool.query(
    `SELECT extract(epoch FROM query_at - asked_at)::float8 AS later, next_action_at = query_at AS "isDue"
    FROM intents WHERE id = ANY ($1) ORDER BY array_position($1, id)`,
    [[waiting, ended]],
  )
  expect(rows).toEqual([
    { later: 15, isDue: true },
    { later: 3_600, isDue: true },
  ])
})
