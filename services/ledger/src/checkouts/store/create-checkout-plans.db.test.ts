import type { PoolClient } from 'pg'
import { ledgerOfFile } from '../../ledger.harness'
import {
  type EarlyPlans,
  planEarly,
  type PlannedStatements,
  testPlans,
} from '../../database/plans.harness'
import { createCheckoutStatements } from './create-checkout'

const at = ledgerOfFile()
let plans: EarlyPlans

/** The values of a batch that creates, replays and refuses. */
function batchOf(id: string) {
  const row = { accountId: `acc_${id}`, fingerprint: '07'.repeat(32), amountMinor: '50000' }
  const given = ['00', '01', '02'].map((end, place) => ({
    ...{ ...row, place, mayCreate: place !== 2, id: `cs_ke_${end.padStart(24, '0')}` },
    ...{ key: `key ${String(place)}`, payBillNumber: `CS000000${end}` },
  }))
  return [JSON.stringify(given), 1_800]
}

const statements: PlannedStatements = {
  'the save of checkouts': [createCheckoutStatements.save, batchOf],
}

beforeAll(async () => {
  plans = await planEarly(at.database.pool, statements, { many: fill })
})

async function fill(client: PoolClient): Promise<void> {
  await client.query(`
    INSERT INTO wallets (account_id, card_enabled) SELECT 'acc_' || n, false FROM generate_series(1, 2000) n;
    INSERT INTO webhook_endpoints (id, account_id)
      SELECT 'we_' || lpad(to_hex(n), 24, '0'), 'acc_' || n FROM generate_series(1, 2000) n;
    INSERT INTO idempotency_keys (scope, key, fingerprint, checkout_id, created_at)
      SELECT 'create acc_7', 'key ' || n, decode(repeat('07', 32), 'hex'), 'cs_ke_' || n, now()
      FROM generate_series(1, 2000) n`)
}

testPlans(statements, () => plans)
