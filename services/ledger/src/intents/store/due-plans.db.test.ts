import type { PoolClient } from 'pg'
import { ledgerOfFile } from '../../ledger.harness'
import {
  type EarlyPlans,
  planEarly,
  type PlannedStatements,
  testPlans,
} from '../../database/plans.harness'
import { beginQueryStatements } from './begin-query'
import { claimDueStatements, claimPayeesStatements } from './claim-due'
import { expireOverdueStatements } from './expire-overdue'
import { waitingPrompts } from './intents'

const at = ledgerOfFile()
let plans: EarlyPlans

const { load, save, saveFree } = beginQueryStatements
const requestOf = (id: string) => [[`pi_${id}`], ['1'], ['2026-11-20'], [null]]
const statements: PlannedStatements = {
  'the load of a status query': [load, (id) => [[`pi_${id}`]]],
  'the save of a status query': [save, requestOf],
  'the save of status queries that are free': [saveFree, requestOf],
  'the count of attempts that wait for their prompt': [waitingPrompts, () => []],
  'the load of what is overdue': [expireOverdueStatements.load, () => [1_000]],
  'the save of what is overdue': [
    expireOverdueStatements.save,
    (id) => [[`pi_${id}`], ['expired'], ['lapsed'], ['unconfirmed'], ['2026-11-20'], [null]],
  ],
  'the load of what is due': [claimDueStatements.load, () => [5]],
  'the save of what was claimed': [
    claimDueStatements.save,
    (id) => [
      ...[[`pi_${id}`], ['2026-11-20'], [`pi_${id}`], [1]],
      ...[['2026-11-20'], [`pi_${id}0`], ['read']],
    ],
  ],
  'the load of wanted payees': [claimPayeesStatements.load, () => [32]],
  'the save of wanted payees': [claimPayeesStatements.save, (id) => [[`pi_${id}`], ['2026-11-20']]],
}

beforeAll(async () => {
  const { checkoutId } = await at.pay.checkout()
  await at.pay.pending(checkoutId)
  plans = await planEarly(at.database.pool, statements, {
    async few(client) {
      await fill(client, { from: 1, to: 180 })
      await client.query('ANALYZE intents, wire_attempts, provider_messages, wanted_payees')
    },
    async many(client) {
      await fill(client, { from: 181, to: 4_000 })
      // After an outage the watches of ended intents are overdue.
      await client.query(
        "UPDATE intents SET next_action_at = now() - interval '1 hour' WHERE ended_at IS NOT NULL",
      )
    },
  })
})

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

testPlans(statements, () => plans)
