import type { PoolClient } from 'pg'
import { openLedger, type TestLedger } from '../ledger.harness'
import { auditQuery, invariants } from '../audit/store/audit'
import { claimDueStatements } from '../intents/store/claim-due'
import { expireOverdueStatements } from '../intents/store/expire-overdue'
import { waitingPrompts } from '../intents/store/intents'
import { refundStatements } from '../refunds/store/load-refunds'
import { saveRefundsStatement } from '../refunds/store/save-refunds'
import { evidenceStatements } from '../evidence/store/apply-evidence'
import { payBillStatements } from '../pay-bill/store/apply-pay-bill'
import { saveStatement } from '../evidence/store/save'
import { saveRowsStatement } from '../statements/store/apply-statement-rows'
import { shownStatements } from '../statements/store/store-shown-rows'
import { findRows, findShown } from '../statements/store/statements'
import { beginSubmitStatements } from '../intents/store/begin-submit'
import { recordSubmitStatements, recordSubmitValues } from '../intents/store/record-submit'
import { settlePlans } from './database'
import type { Statement } from './transaction'

let at: TestLedger
/** A connection whose transaction has added thousands of rows that are due later. It is rolled back at the end. */
let crowded: PoolClient
let lookedEarly: Readonly<Record<string, number>>

beforeAll(async () => {
  at = await openLedger()
  const { checkoutId } = await at.pay.checkout()
  await at.pay.callback((await at.pay.pending(checkoutId)).callbackToken)
  lookedEarly = await lookPlannedEarly()
  crowded = await at.database.pool.connect()
  await crowd(crowded)
})

afterAll(async () => {
  await crowded.query('ROLLBACK')
  crowded.release()
  await at.close()
})

const waiting = 2_000

interface LooksAt {
  readonly tables?: readonly string[]
  /** The planner's settings for the statement. */
  readonly plans?: Readonly<Record<string, string>>
}

async function crowd(client: PoolClient): Promise<void> {
  await client.query('BEGIN')
  await client.query('SET LOCAL session_replication_role = replica')
  const later = `'next_action_at', now() + interval '1 hour'`
  await client.query(`
    INSERT INTO intents SELECT (jsonb_populate_record(NULL::intents, to_jsonb(i) || jsonb_build_object(
      'id', 'pi_' || lpad(n::text, 24, '0'), 'ended_at', now(), 'attempt_reference', NULL,
      'phone', '2547' || lpad(n::text, 8, '0'),
      'deadline_at', now() + interval '1 hour', ${later}
    ))).* FROM (SELECT * FROM intents LIMIT 1) i, generate_series(1, ${String(waiting)}) n`)
  await client.query(`
    INSERT INTO provider_messages SELECT (jsonb_populate_record(NULL::provider_messages, to_jsonb(m) || jsonb_build_object(
      'id', 'pm_' || lpad(n::text, 24, '0'), 'digest', NULL, ${later}
    ))).* FROM (SELECT * FROM provider_messages LIMIT 1) m, generate_series(1, ${String(waiting)}) n`)
  await client.query(`
    INSERT INTO intent_steps (intent_id, from_status, event, to_status, at)
    SELECT id, 'none', 'accepted', 'created', now() - interval '1 day' FROM intents`)
  await client.query('ANALYZE intents, intent_steps, provider_messages')
}

async function lookedAt(client: PoolClient, tables: readonly string[]): Promise<number> {
  const { rows } = await client.query<{ looked: number }>(
    `SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS looked
    FROM pg_stat_xact_user_tables WHERE relname = ANY ($1)`,
    [tables],
  )
  return rows[0]?.looked ?? 0
}

/** How many rows of `tables` a statement looks at. The statement is rolled back. */
async function looksAt(
  statement: string,
  values: unknown[] = [],
  { tables = ['intents', 'provider_messages'], plans = {} }: LooksAt = {},
): Promise<number> {
  await crowded.query('SAVEPOINT before')
  for (const [setting, value] of Object.entries(plans)) {
    await crowded.query(`SET LOCAL ${setting} = ${value}`)
  }
  const before = await lookedAt(crowded, tables)
  await crowded.query(statement, values)
  const after = await lookedAt(crowded, tables)
  await crowded.query('ROLLBACK TO before')
  return after - before
}

test.each([
  ['claiming what is due', claimDueStatements.load.text, [32]],
  ['counting the attempts that wait for their prompt', waitingPrompts.text, []],
  ['loading what is overdue', expireOverdueStatements.load.text, [1_000]],
])(
  '%s looks only at rows that it needs, while thousands more are due later',
  async (_, text, values) => {
    expect(await looksAt(text, values, { plans: settlePlans })).toBeLessThan(100)
  },
)

const messageId = `pm_${'1'.padStart(24, '0')}`
const intentId = `pi_${'1'.padStart(24, '0')}`
const ended = { status: 'failed', event: 'declined', endedAt: '2026-11-20', cause: 'cancelled' }
const course = { receiptWanted: true, ...ended }
const message = { fact: 'paid', strength: 'E4', result: 'kept' }
const endOfCall = recordSubmitValues([
  { intentId, outcome: 'refused', cause: 'busy', providerCode: '17' },
])

test.each([
  ['locking a piece of evidence', evidenceStatements.lock.text, [[messageId]]],
  ['locking a piece of evidence without waiting', evidenceStatements.lockFree.text, [[messageId]]],
  [
    'loading a piece of evidence',
    evidenceStatements.load.text,
    [[messageId], ['declined'], ['R1'], '{"mpesa":"mpesa"}', ['ws_1']],
  ],
  [
    'saving a piece of evidence',
    saveStatement.text,
    [
      '2026-11-20',
      '[]',
      JSON.stringify({ [intentId]: course }),
      '{}',
      JSON.stringify({ [messageId]: message }),
    ],
  ],
  ['locking for a submission', beginSubmitStatements.lock.text, [[intentId]]],
  ['locking for a submission without waiting', beginSubmitStatements.lockFree.text, [[intentId]]],
  ['loading for a submission', beginSubmitStatements.load.text, [[intentId]]],
  [
    'saving a submission',
    beginSubmitStatements.save.text,
    [JSON.stringify([{ id: intentId, ...course, version: '1' }]), [intentId]],
  ],
  [
    'saving a submission without waiting',
    beginSubmitStatements.saveFree.text,
    [JSON.stringify([{ id: intentId, ...course, version: '1' }]), [intentId]],
  ],
  ['recording the end of a call', recordSubmitStatements.save.text, endOfCall],
  [
    'recording the end of a call without waiting',
    recordSubmitStatements.saveFreePages.text,
    endOfCall,
  ],
])('%s looks at few rows, and reads no whole table', async (_, text, values) => {
  const tables = [
    'intents',
    'provider_messages',
    'transfers',
    'payment_reports',
    'checkouts',
    'wire_attempts',
    'card_sessions',
  ]
  expect(await looksAt(text, values, { tables, plans: settlePlans })).toBeLessThan(20)
})

/** The values of `saveRowsStatement` for one new row that its batch left out, so that it has no result yet. */
function keptValues(id: string): unknown[] {
  const text = Buffer.from(id)
  return [
    '2026-11-20',
    '[]',
    '{}',
    '{}',
    '{}',
    [id],
    [text],
    [text],
    [null],
    [null],
    [null],
    [null],
  ]
}

test.each([
  ['finding', findRows.text, [[Buffer.from('{}')]]],
  ['keeping', shownStatements.keep.text, [['R1'], ['100'], [null]]],
  ['locking', shownStatements.lock.text, [['R1']]],
  ['reading what is known of', shownStatements.load.text, [['R1'], ['R1']]],
  [
    'loading',
    payBillStatements.loadRows.text,
    [[Buffer.from('{}')], ['a'], [null], ['r'], [], ['R1']],
  ],
  ['saving', saveRowsStatement.text, keptValues('pm_new')],
  ['finding the message of', findShown.text, [[messageId]]],
])(
  '%s a row of the statement looks at few rows, and reads no whole table',
  async (_, text, values) => {
    const tables = ['provider_messages', 'statement_rows', 'transfers']
    expect(await looksAt(text, values, { tables, plans: settlePlans })).toBeLessThan(20)
  },
)

const plannedEarly: Readonly<Record<string, readonly [Statement, (id: string) => unknown[]]>> = {
  'finds rows of the statement': [findRows, (id) => [[Buffer.from(id)]]],
  'loads rows of the statement': [
    payBillStatements.loadRows,
    (id) => [[Buffer.from(id)], [id], [null], [`receipt:mpesa:${id}`], [], [id]],
  ],
  'saves rows of the statement': [saveRowsStatement, (id) => keptValues(`${id}_new`)],
  'keeps rows of the statement': [shownStatements.keep, (id) => [[id], ['100'], [null]]],
  'locks rows of the statement': [shownStatements.lock, (id) => [[id]]],
  'reads what is known of rows of the statement': [shownStatements.load, (id) => [[id], [id]]],
  'finds messages that are rows of the statement': [findShown, (id) => [[id]]],
  'loads money from the Pay Bill menu': [
    payBillStatements.load,
    (id) => [[id], [id], [null], [`receipt:mpesa:${id}`], [], [id]],
  ],
  'locks what a message is about': [evidenceStatements.lock, (id) => [[id]]],
  'loads a piece of evidence': [
    evidenceStatements.load,
    (id) => [[id], ['declined'], ['R1'], '{"mpesa":"mpesa"}', ['ws_1']],
  ],
  'saves the result of a message': [
    saveStatement,
    (id) => ['2026-11-20', '[]', '{}', '{}', JSON.stringify({ [id]: message })],
  ],
}

/** How many messages each statement looks at when there are many, by a plan that was made while there were few. */
async function lookPlannedEarly(): Promise<Record<string, number>> {
  const message = (values: string) => `
    INSERT INTO provider_messages (id, rail, kind, body, source_address, source_known, received_at, ${values}`
  const { pool } = at.database
  await pool.query(
    message(`result, applied_at)
    SELECT 'pm_early_' || n, 'paybill', 'statement_row', repeat('x', 200)::bytea, '', true, now(), 'kept', now()
    FROM generate_series(1, 180) n`),
  )
  await pool.query('ANALYZE provider_messages')
  const client = await pool.connect()
  await client.query('BEGIN')
  for (const [setting, value] of Object.entries(settlePlans)) {
    await client.query(`SET LOCAL ${setting} = ${value}`)
  }
  const run = async (id: string) => {
    const looks: Record<string, number> = {}
    for (const [name, [statement, valuesOf]] of Object.entries(plannedEarly)) {
      await client.query('SAVEPOINT before')
      const before = await lookedAt(client, ['provider_messages'])
      await client.query({ ...statement, values: valuesOf(id) })
      looks[name] = (await lookedAt(client, ['provider_messages'])) - before
      await client.query('ROLLBACK TO before')
    }
    return looks
  }
  await run('pm_few')
  await client.query('SET LOCAL session_replication_role = replica')
  await client.query(
    message(`next_action_at)
    SELECT 'pm_' || n, 'paybill', 'statement_row', '', '', true, now(), now()
    FROM generate_series(1, ${String(waiting)}) n`),
  )
  const looks = await run('pm_7')
  await client.query('ROLLBACK')
  client.release()
  return looks
}

test.each(Object.keys(plannedEarly))(
  'a plan that was made while there were few messages %s without reading them all',
  (name) => {
    expect(lookedEarly[name]).toBeLessThan(20)
  },
)

const about = [[], [messageId], '{"mpesa":"mpesa"}']

test.each([
  ['locking', refundStatements.lockReceipts.text, about],
  ['locking the rows of', refundStatements.lockRows.text, about],
  ['loading', refundStatements.load.text, about],
  [
    'saving',
    saveRefundsStatement.text,
    ['2026-11-20', '[]', '{}', '{"refunds":[],"withdrawn":[],"actions":[]}', '{}'],
  ],
])('%s a refund looks at few rows, and reads no whole table', async (_, text, values) => {
  const tables = ['intents', 'provider_messages', 'transfers', 'refunds', 'checkouts', 'wallets']
  expect(await looksAt(text, values, { tables, plans: settlePlans })).toBeLessThan(20)
})

test('an audit of recent changes looks only at the attempts that were touched since', async () => {
  const queries = invariants.find(({ number }) => number === 19) ?? { query: '' }
  const { rows } = await at.database.pool.query<{ at: string }>('SELECT now()::text AS at')
  const answer = auditQuery(queries, false)
  expect(await looksAt(answer, [rows[0]?.at], { tables: ['intents'] })).toBeLessThan(100)
})
