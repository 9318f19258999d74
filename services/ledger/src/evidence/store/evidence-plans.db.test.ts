import type { PoolClient } from 'pg'
import {
  type EarlyPlans,
  planEarly,
  type PlannedStatements,
  testPlans,
} from '../../database/plans.harness'
import { ledgerOfFile } from '../../ledger.harness'
import { evidenceStatements } from './apply-evidence'
import { saveStatement } from './save'

const at = ledgerOfFile()
let plans: EarlyPlans

const { lock, lockFree, load } = evidenceStatements
const ended = { status: 'failed', event: 'declined', endedAt: '2026-11-20', cause: 'cancelled' }
const declined = { receiptWanted: true, ...ended }
const message = { fact: 'declined', strength: 'E4', result: 'kept' }
const statements: PlannedStatements = {
  'the lock of a piece of evidence': [lock, (id) => [[`pm_${id}`]]],
  'the lock of what is free': [lockFree, (id) => [[`pm_${id}`]]],
  'the load of a payment': [
    load,
    (id) => [[`pm_${id}`], ['paid'], ['R1'], '{"mpesa":"mpesa"}', ['ws_8']],
  ],
  'the load of a refusal': [
    { ...load, name: 'load_refusal' },
    (id) => [[`pm_${id}`], ['declined'], [''], '{"mpesa":"mpesa"}', ['ws_none']],
  ],
  'the save of a piece of evidence': [
    saveStatement,
    (id) => [
      ...['2026-11-20', '[]', JSON.stringify({ [`pi_${id}`]: declined }), '{}'],
      JSON.stringify({ [`pm_${id}`]: message }),
    ],
  ],
}

beforeAll(async () => {
  const { checkoutId } = await at.pay.checkout()
  await at.pay.callback((await at.pay.pending(checkoutId)).callbackToken)
  plans = await planEarly(at.database.pool, statements, {
    few: (client) => client.query('ANALYZE intents, provider_messages'),
    many: fill,
  })
})

/** Attempts with a message each, of which all but the first have ended. The call of `pi_7` was not answered. */
async function fill(client: PoolClient): Promise<void> {
  await client.query(`
    INSERT INTO intents SELECT (jsonb_populate_record(NULL::intents, to_jsonb(i) || jsonb_build_object(
      'id', 'pi_' || n, 'ended_at', now(), 'attempt_reference', NULL, 'phone', '2547' || lpad(n::text, 8, '0'),
      'provider_request_id', CASE WHEN n <> 7 THEN 'ws_' || n END
    ))).* FROM (SELECT * FROM intents LIMIT 1) i, generate_series(1, 2000) n;
    INSERT INTO provider_messages SELECT (jsonb_populate_record(NULL::provider_messages, to_jsonb(m) || jsonb_build_object(
      'id', 'pm_' || n, 'intent_id', 'pi_' || n
    ))).* FROM (SELECT * FROM provider_messages LIMIT 1) m, generate_series(1, 2000) n`)
}

testPlans(statements, () => plans)
