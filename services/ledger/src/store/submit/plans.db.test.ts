import type { PoolClient } from 'pg'
import { openLedger, type TestLedger } from '../../ledger.harness'
import { settlePlans } from '../database'
import type { Statement } from '../settlement/transaction'
import { beginSubmitStatements } from './begin-submit'
import { recordSubmitStatements, recordSubmitValues } from './record-submit'

let at: TestLedger
let looked: Readonly<Record<string, number>>

const { lock, lockFree, load, save, saveFree } = beginSubmitStatements
const saved = (id: string) => [JSON.stringify([{ id, version: '1' }]), [id]]
const recorded = (intentId: string) =>
  recordSubmitValues([{ intentId, outcome: 'unknown', detail: 'ETIMEDOUT' }])
const asked: Readonly<Record<string, readonly [Statement, (id: string) => unknown[]]>> = {
  'the lock of a submission': [lock, (id) => [[id]]],
  'the lock of what is free': [lockFree, (id) => [[id]]],
  'the load of a submission': [load, (id) => [[id]]],
  'the save of a submission': [save, saved],
  'the save of what is free': [saveFree, saved],
  'the end of a call': [recordSubmitStatements.save, recorded],
  'the ends of calls that are free': [recordSubmitStatements.saveFree, recorded],
  'the end of a call for a card page': [recordSubmitStatements.savePages, recorded],
  'the ends of calls for card pages': [recordSubmitStatements.saveFreePages, recorded],
}

beforeAll(async () => {
  at = await openLedger()
  const { checkoutId } = await at.pay.checkout()
  await at.pay.pending(checkoutId)
  const client = await at.database.pool.connect()
  await client.query('BEGIN')
  for (const [setting, value] of Object.entries(settlePlans)) {
    await client.query(`SET LOCAL ${setting} = ${value}`)
  }
  await lookOfEach(client, 'pi_few')
  await client.query('SET LOCAL session_replication_role = replica')
  await client.query(`
    INSERT INTO intents SELECT (jsonb_populate_record(NULL::intents, to_jsonb(i) || jsonb_build_object(
      'id', 'pi_' || n, 'ended_at', now(), 'attempt_reference', NULL, 'phone', '2547' || lpad(n::text, 8, '0')
    ) || CASE n WHEN 8 THEN jsonb_build_object(
      'phone', '254700000007', 'status', 'reserved', 'submitted_at', NULL, 'ended_at', NULL, 'checkout_id', 'cs_8'
    ) ELSE '{}' END)).* FROM (SELECT * FROM intents LIMIT 1) i, generate_series(1, 2000) n`)
  await client.query(
    `INSERT INTO wire_attempts (intent_id, rail, began_at) SELECT 'pi_' || n, 'mpesa', now() FROM generate_series(1, 2000) n`,
  )
  // The prompt of `pi_8` waits for the same phone.
  looked = await lookOfEach(client, 'pi_7')
  await client.query('ROLLBACK')
  client.release()
})

afterAll(() => at.close())

async function lookOfEach(client: PoolClient, id: string): Promise<Record<string, number>> {
  const looks: Record<string, number> = {}
  for (const [name, [statement, valuesOf]] of Object.entries(asked)) {
    await client.query('SAVEPOINT before')
    const before = await lookedAt(client)
    await client.query({ ...statement, values: valuesOf(id) })
    looks[name] = (await lookedAt(client)) - before
    await client.query('ROLLBACK TO before')
  }
  return looks
}

async function lookedAt(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ looked: number }>(
    `SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS looked
    FROM pg_stat_xact_user_tables WHERE relname IN ('intents', 'wire_attempts', 'checkouts', 'card_sessions')`,
  )
  return rows[0]?.looked ?? 0
}

test.each(Object.keys(asked))(
  'a plan that was made while there were few attempts looks for %s without reading them all',
  (name) => {
    expect(looked[name]).toBeLessThan(20)
  },
)
