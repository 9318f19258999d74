import type { PoolClient } from 'pg'
import { ledgerOfFile } from '../../ledger.harness'
import {
  type EarlyPlans,
  planEarly,
  type PlannedStatements,
  testPlans,
} from '../../database/plans.harness'
import { storeMessageStatements, storeMessageValues } from './provider-messages'

const at = ledgerOfFile()
let plans: EarlyPlans

const stored = (id: string) =>
  storeMessageValues([
    {
      ...{ messageId: `pm_of_${id}`, intentId: `pi_${id}`, callbackSecret: undefined },
      ...{ rail: undefined, kind: 'query_answer', body: Buffer.from('{}') },
      ...{ sourceAddress: '', sourceKnown: true },
    },
  ])
const statements: PlannedStatements = {
  'the save of a message': [storeMessageStatements.save, stored],
  'the save of a batch of messages': [storeMessageStatements.saveNew, stored],
}

beforeAll(async () => {
  await at.pay.pending((await at.pay.checkout()).checkoutId)
  plans = await planEarly(at.database.pool, statements, { many: fill })
})

async function fill(client: PoolClient): Promise<void> {
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
}

testPlans(statements, () => plans)
