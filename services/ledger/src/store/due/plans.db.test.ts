import type { PoolClient } from 'pg'
import { openLedger, type TestLedger } from '../../ledger.harness'
import { settlePlans } from '../database'
import type { Statement } from '../settlement/transaction'
import { beginQueryStatements } from './begin-query'
import { claimDueStatements } from './claim-due'
import { claimPayeesStatements } from './claim-payees'
import { expireOverdueStatements } from './expire-overdue'

let at: TestLedger
let looked: Readonly<Record<string, number>>

const { load, save, saveFree } = beginQueryStatements
const asked = (id: string) => [[id], ['1'], ['2026-11-20'], [null]]
const statements: Readonly<Record<string, readonly [Statement, (id: string) => unknown[]]>> = {
  'the load of a status query': [load, (id) => [[id]]],
  'the save of a status query': [save, asked],
  'the save of status queries that are free': [saveFree, asked],
  'the load of what is overdue': [expireOverdueStatements.load, () => [1_000]],
  'the save of what is overdue': [
    expireOverdueStatements.save,
    (id) => [[id], ['expired'], ['lapsed'], ['unconfirmed'], ['2026-11-20'], [null]],
  ],
  'the load of what is due': [claimDueStatements.load, () => [32]],
  'the save of what was claimed': [
    claimDueStatements.save,
    (id) => [[id], ['2026-11-20'], [id], [1], ['2026-11-20'], [`${id}0`], ['read']],
  ],
  'the load of wanted payees': [claimPayeesStatements.load, () => [32]],
  'the save of wanted payees': [claimPayeesStatements.save, (id) => [[id], ['2026-11-20']]],
}

beforeAll(async () => {
  at = await openLedger()
  const { checkoutId } = await at.pay.checkout()
  await at.pay.pending(checkoutId)
  const client = await at.database.pool.connect()
  await client.query('BEGIN')
  await client.query('SET LOCAL session_replication_role = replica')
  for (const [setting, value] of Object.entries(settlePlans)) {
    await client.query(`SET LOCAL ${setting} = ${value}`)
  }
  await fill(client, { from: 1, to: 180 })
  await client.query('ANALYZE intents, wire_attempts, provider_messages, wanted_payees')
  await lookOfEach(client, 'pi_few')
  await fill(client, { from: 181, to: 4_000 })
  looked = await lookOfEach(client, 'pi_7')
  await client.query('ROLLBACK')
  client.release()
})

afterAll(() => at.close())

async function fill(client: PoolClient, range: { readonly from: number; readonly to: number }) {
  const { from, to } = range
  await client.query(
    `INSERT INTO intents SELECT (jsonb_populate_record(NULL::intents, to_jsonb(i) || jsonb_build_object(
      'id', 'pi_' || n, 'ended_at', now(), 'attempt_reference', NULL, 'phone', '2547' || lpad(n::text, 8, '0'),
      'deadline_at', now() + interval '1 hour', 'next_action_at', now() + interval '1 hour'
    ))).* FROM (SELECT * FROM intents LIMIT 1) i, generate_series($1::int, $2::int) n`,
    [from, to],
  )
  await client.query(
    `INSERT INTO wire_attempts (intent_id, rail, began_at)
    SELECT 'pi_' || n, 'mpesa', now() FROM generate_series($1::int, $2::int) n`,
    [from, to],
  )
  const later = `now() + interval '1 hour'`
  await client.query(
    `INSERT INTO provider_messages (id, rail, kind, body, source_address, source_known, received_at, next_action_at)
    SELECT 'pi_' || n, 'paybill', 'statement_row', '', '', true, now(), ${later} FROM generate_series($1::int, $2::int) n`,
    [from, to],
  )
  await client.query(
    `INSERT INTO wanted_payees (message_id, receipt, next_action_at)
    SELECT 'pi_' || n, n, ${later} FROM generate_series($1::int, $2::int) n`,
    [from, to],
  )
}

async function lookOfEach(client: PoolClient, id: string): Promise<Record<string, number>> {
  const looks: Record<string, number> = {}
  for (const [name, [statement, valuesOf]] of Object.entries(statements)) {
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
    FROM pg_stat_xact_user_tables WHERE relname IN ('intents', 'wire_attempts', 'provider_messages', 'wanted_payees')`,
  )
  return rows[0]?.looked ?? 0
}

test.each(Object.keys(statements))(
  'a plan that was made while there was little looks for %s without reading them all',
  (name) => {
    expect(looked[name]).toBeLessThan(20)
  },
)
