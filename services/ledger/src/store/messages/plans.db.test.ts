import type { PoolClient } from 'pg'
import { openLedger, type TestLedger } from '../../ledger.harness'
import { settlePlans } from '../database'
import type { Statement } from '../settlement/transaction'
import { storeMessageStatements, storeMessageValues } from './store-message'

let at: TestLedger
let client: PoolClient
let looked: Readonly<Record<string, number>>

const { save, saveNew } = storeMessageStatements
const statements: Readonly<Record<string, Statement>> = {
  'the save of a message': save,
  'the save of a batch of messages': saveNew,
}

beforeAll(async () => {
  at = await openLedger()
  await at.pay.pending((await at.pay.checkout()).checkoutId)
  client = await at.database.pool.connect()
  await client.query('BEGIN')
  for (const [setting, value] of Object.entries(settlePlans)) {
    await client.query(`SET LOCAL ${setting} = ${value}`)
  }
  await lookOfEach('pi_few')
  await client.query('SET LOCAL session_replication_role = replica')
  await client.query(`
    INSERT INTO intents SELECT (jsonb_populate_record(NULL::intents, to_jsonb(i) || jsonb_build_object(
      'id', 'pi_' || n, 'ended_at', now(), 'attempt_reference', NULL, 'phone', '2547' || lpad(n::text, 8, '0')
    ))).* FROM (SELECT * FROM intents LIMIT 1) i, generate_series(1, 2000) n`)
  await client.query(`
    INSERT INTO provider_messages (
      id, intent_id, rail, kind, body, digest, source_address, source_known, received_at, next_action_at, is_bound
    )
    SELECT 'pm_' || n, 'pi_' || n, 'mpesa', 'callback', '', sha256(n::text::bytea), '', true, now(), now(), true
    FROM generate_series(1, 2000) n`)
  looked = await lookOfEach('pi_7')
})

afterAll(async () => {
  await client.query('ROLLBACK')
  client.release()
  await at.close()
})

async function lookOfEach(intentId: string): Promise<Record<string, number>> {
  const looks: Record<string, number> = {}
  const values = storeMessageValues([
    {
      ...{ messageId: `pm_of_${intentId}`, intentId, callbackSecret: undefined, rail: undefined },
      ...{ kind: 'query_answer', body: Buffer.from('{}'), sourceAddress: '', sourceKnown: true },
    },
  ])
  for (const [name, statement] of Object.entries(statements)) {
    await client.query('SAVEPOINT before')
    const before = await lookedAt()
    await client.query({ ...statement, values })
    looks[name] = (await lookedAt()) - before
    await client.query('ROLLBACK TO before')
  }
  return looks
}

async function lookedAt(): Promise<number> {
  const { rows } = await client.query<{ looked: number }>(
    `SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS looked
    FROM pg_stat_xact_user_tables WHERE relname IN ('intents', 'provider_messages')`,
  )
  return rows[0]?.looked ?? 0
}

test.each(Object.keys(statements))(
  'a plan that was made while there were few attempts reads no table whole for %s',
  (name) => {
    expect(looked[name]).toBeLessThan(20)
  },
)

test('each is planned once a connection', async () => {
  const { rows } = await client.query(
    'SELECT name, generic_plans::int AS generic, custom_plans::int AS custom FROM pg_prepared_statements ORDER BY name',
  )
  expect(rows).toEqual(
    [
      { name: saveNew.name, generic: 2, custom: 0 },
      { name: save.name, generic: 2, custom: 0 },
    ].sort((one, other) => (one.name < other.name ? -1 : 1)),
  )
})
