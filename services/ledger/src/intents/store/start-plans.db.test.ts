import type { PoolClient } from 'pg'
import { fingerprint } from '../../payments.harness'
import { ledgerOfFile } from '../../ledger.harness'
import {
  type EarlyPlans,
  planEarly,
  type PlannedStatements,
  testPlans,
} from '../../database/plans.harness'
import { startHandleLoads } from '../../handles/store/start-handle-intent'
import { startLoads } from './start-intent'
import { startSaves, startValues } from './save-start'

const at = ledgerOfFile()
let plans: EarlyPlans

const about = (id: string) => [[`cs_ke_${id.padStart(24, '0')}`], [`2547${id}`]]
const keyed = (id: string) => [[`pay ${id}`], [`key ${id}`]]
const ofAccount = (id: string) => [[`acc_${id}`], [`2547${id}`], ...keyed(id)]
const now = 1_800_000_000_000_001
const newId = `pi_${'0'.repeat(24)}`
const saved = (id: string) =>
  startValues([
    {
      ...{ scope: 'pay new', key: 'new', fingerprint, boundTo: newId, now },
      attempt: {
        ...{ id: newId, checkoutId: null, accountId: `acc_${id}`, handle: 'Duka', rail: 'mpesa' },
        ...{ phone: '254708374149', amountMinor: 100n, askedMinor: 100n, createdAt: now },
        ...{ deadlineAt: now, nextActionAt: now, callbackSecret: 'secret', attemptReference: 'M0' },
        page: { feeMinor: 1n, expiresAt: now, sealedPayer: undefined },
      },
    },
  ])

const statements: PlannedStatements = {
  'the lock of a start': [startLoads.lock, about],
  'the lock of what is free': [startLoads.lockFree, about],
  'the load of a start': [startLoads.load, (id) => [...about(id), ...keyed(id)]],
  'the load of a start by card': [startLoads.loadCard, (id) => [...about(id), ...keyed(id)]],
  'the load of a payment to a handle': [startHandleLoads.load, ofAccount],
  'the save of a start': [startSaves.save, saved],
  'the save of a start by card': [startSaves.savePages, saved],
}

beforeAll(async () => {
  plans = await planEarly(at.database.pool, statements, {
    few: async (client) => fill(client, 1, 1),
    many: async (client) => fill(client, 2, 2_000),
  })
})

/** Checkouts with an attempt by card each, each with a separate account, phone and key. */
async function fill(client: PoolClient, from: number, to: number): Promise<void> {
  const each = `generate_series(${String(from)}, ${String(to)}) n`
  await client.query(`
    INSERT INTO wallets (account_id, card_enabled) SELECT 'acc_' || n, true FROM ${each};
    INSERT INTO checkouts (id, account_id, amount_minor, created_at, expires_at)
      SELECT 'cs_ke_' || lpad(n::text, 24, '0'), 'acc_' || n, 100, now(), now() + interval '1 hour' FROM ${each};
    INSERT INTO intents (
      id, checkout_id, rail, phone, amount_minor, asked_minor, status, event, created_at, callback_secret
    ) SELECT 'pi_' || n, 'cs_ke_' || lpad(n::text, 24, '0'), 'card', '2547' || n, 100, 100, 'created', 'accepted', now(), 'secret' FROM ${each};
    INSERT INTO card_sessions (intent_id, fee_minor, expires_at) SELECT 'pi_' || n, 1, now() FROM ${each};
    INSERT INTO idempotency_keys (scope, key, fingerprint, intent_id, created_at)
      SELECT 'pay ' || n, 'key ' || n, decode(repeat('07', 32), 'hex'), 'pi_' || n, now() FROM ${each}`)
}

testPlans(statements, () => plans)
