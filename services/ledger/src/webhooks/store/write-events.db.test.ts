import type { PoolClient } from 'pg'
import { ledgerOfFile } from '../../ledger.harness'
import { newEndpointId, webhooks } from '../webhooks.harness'
import { saveStatement } from '../../evidence/store/save'
import { writeExpired } from './checkout-expiries'
import {
  type EarlyPlans,
  planEarly,
  type PlannedStatements,
  testPlans,
} from '../../database/plans.harness'
import { recordSubmitStatements, recordSubmitValues } from '../../intents/store/record-submit'
import { writeEvents } from './write-events'

const at = ledgerOfFile()
const hooks = webhooks(at)
let plans: EarlyPlans

const refused = { outcome: 'refused', cause: 'cancelled', providerCode: '1' } as const
const checkoutOf = (id: string) => `cs_ke_${id.padStart(24, '0')}`
const statements: PlannedStatements = {
  'the event of a checkout that expired': [writeExpired, (id) => [[checkoutOf(id)]]],
  'the events of what was settled': [
    writeEvents,
    (id) => [JSON.stringify([{ type: 'checkout.completed', checkout_id: checkoutOf(id) }])],
  ],
  'the look whether an account is notified': [
    saveStatement,
    (id) => [
      ...['2026-11-20', '[]', '{}'],
      JSON.stringify({ paymentEvents: [{ checkout_id: checkoutOf(id) }] }),
      '{}',
    ],
  ],
  'the event of a prompt that was refused': [
    recordSubmitStatements.saveEvents,
    (id) => recordSubmitValues([{ intentId: `pi_${id}`, ...refused }]),
  ],
}

beforeAll(async () => {
  const { checkoutId } = await at.pay.checkout()
  await at.pay.pending(checkoutId)
  plans = await planEarly(at.database.pool, statements, { many: fill })
})

async function fill(client: PoolClient): Promise<void> {
  await client.query(`
    INSERT INTO webhook_endpoints (id, account_id)
      SELECT 'we_' || lpad(to_hex(n), 24, '0'), 'acc_' || n FROM generate_series(1, 2000) n;
    INSERT INTO checkouts SELECT (jsonb_populate_record(NULL::checkouts, to_jsonb(c) || jsonb_build_object(
      'id', 'cs_ke_' || lpad(n::text, 24, '0'), 'account_id', 'acc_' || n
    ))).* FROM (SELECT * FROM checkouts LIMIT 1) c, generate_series(1, 2000) n;
    INSERT INTO intents SELECT (jsonb_populate_record(NULL::intents, to_jsonb(i) || jsonb_build_object(
      'id', 'pi_' || n, 'checkout_id', 'cs_ke_' || lpad(n::text, 24, '0'), 'attempt_reference', NULL, 'status', 'submitted'
    ))).* FROM (SELECT * FROM intents LIMIT 1) i, generate_series(1, 2000) n`)
}

testPlans(statements, () => plans)

test('each endpoint that is on gets an event once, and one that answered 410 gets none', async () => {
  const { accountId, endpointId: first } = await hooks.listener()
  const [second, off] = [newEndpointId(), newEndpointId()]
  for (const endpointId of [second, off]) await at.ledger.switchWebhookOn({ accountId, endpointId })
  await at.database.pool.query(
    `UPDATE webhook_endpoints SET off_at = now(), off_because = 'gone' WHERE id = $1`,
    [off],
  )
  const { checkoutId } = await at.pay.checkout({ accountId })
  await at.pay.paid(await at.pay.pending(checkoutId))
  const { rows } = await at.database.pool.query<{ endpoints: string[] }>(
    `SELECT array_agg(d.endpoint_id ORDER BY d.endpoint_id) AS endpoints
    FROM webhook_events v JOIN webhook_deliveries d ON d.event_id = v.id WHERE v.account_id = $1 GROUP BY v.id`,
    [accountId],
  )
  expect(rows).toEqual([{ endpoints: [first, second].toSorted() }])
})

test('no event is written for an account that has no endpoint, or only removed ones', async () => {
  const [off, none] = [await hooks.listener(), await at.pay.merchant()]
  await at.ledger.removeWebhook(off)
  for (const accountId of [off.accountId, none]) {
    const { checkoutId } = await at.pay.checkout({ accountId })
    await at.pay.declined(await at.pay.pending(checkoutId))
    await at.pay.paid(await at.pay.pending(checkoutId))
  }
  const { rows } = await at.database.pool.query(
    'SELECT FROM webhook_events WHERE account_id = ANY ($1)',
    [[off.accountId, none]],
  )
  expect(rows).toEqual([])
})
