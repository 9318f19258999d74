import type { PoolClient } from 'pg'
import { ledgerOfFile } from '../../ledger.harness'
import {
  type EarlyPlans,
  planEarly,
  type PlannedStatements,
  testPlans,
} from '../../database/plans.harness'
import { beginSubmitStatements } from './begin-submit'
import { recordSubmitStatements, recordSubmitValues } from './record-submit'

const at = ledgerOfFile()
let plans: EarlyPlans

const { lock, lockFree, load, save, saveFree } = beginSubmitStatements
const saved = (id: string) => [JSON.stringify([{ id: `pi_${id}`, version: '1' }]), [`pi_${id}`]]
const recorded = (id: string) =>
  recordSubmitValues([{ intentId: `pi_${id}`, outcome: 'unknown', detail: 'ETIMEDOUT' }])
const statements: PlannedStatements = {
  'the lock of a submission': [lock, (id) => [[`pi_${id}`]]],
  'the lock of what is free': [lockFree, (id) => [[`pi_${id}`]]],
  'the load of a submission': [load, (id) => [[`pi_${id}`]]],
  'the save of a submission': [save, saved],
  'the save of what is free': [saveFree, saved],
  'the lock of the end of a call': [recordSubmitStatements.lock, (id) => [[`pi_${id}`]]],
  'the lock of what ends and is free': [recordSubmitStatements.lockFree, (id) => [[`pi_${id}`]]],
  'the end of a call': [recordSubmitStatements.save, recorded],
  'the ends of calls that are free': [recordSubmitStatements.saveFree, recorded],
  'the end of a call for a card page': [recordSubmitStatements.savePages, recorded],
  'the ends of calls for card pages': [recordSubmitStatements.saveFreePages, recorded],
}

beforeAll(async () => {
  const { checkoutId } = await at.pay.checkout()
  await at.pay.pending(checkoutId)
  plans = await planEarly(at.database.pool, statements, { few: fillEnded, many: fill })
})

/** Ended intents, so that by the statistics of the server none is in flight. */
async function fillEnded(client: PoolClient): Promise<void> {
  await client.query(`
    INSERT INTO intents SELECT (jsonb_populate_record(NULL::intents, to_jsonb(i) || jsonb_build_object(
      'id', 'pi_0' || n, 'ended_at', now(), 'attempt_reference', NULL, 'phone', '2547' || lpad(n::text, 8, '0')
    ))).* FROM (SELECT * FROM intents LIMIT 1) i, generate_series(1, 200) n;
    DELETE FROM intents WHERE ended_at IS NULL;
    ANALYZE intents`)
}

/** 2,000 intents in flight. The prompt of `pi_8` waits for the phone of `pi_7`. */
async function fill(client: PoolClient): Promise<void> {
  await client.query(`
    INSERT INTO intents SELECT (jsonb_populate_record(NULL::intents, to_jsonb(i) || jsonb_build_object(
      'id', 'pi_' || n, 'ended_at', NULL, 'attempt_reference', NULL, 'phone', '2547' || lpad(n::text, 8, '0'),
      'checkout_id', 'cs_' || n
    ) || CASE n WHEN 8 THEN jsonb_build_object(
      'phone', '254700000007', 'status', 'reserved', 'submitted_at', NULL
    ) ELSE '{}' END)).* FROM (SELECT * FROM intents LIMIT 1) i, generate_series(1, 2000) n`)
  await client.query(
    `INSERT INTO wire_attempts (intent_id, rail, began_at) SELECT 'pi_' || n, 'mpesa', now() FROM generate_series(1, 2000) n`,
  )
}

testPlans(statements, () => plans)
