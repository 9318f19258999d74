import type { PoolClient } from 'pg'
import { fingerprint } from '../../payments.harness'
import { openLedger, type TestLedger } from '../../ledger.harness'
import { settlePlans } from '../database'
import type { Statement } from '../settlement/transaction'
import { startLoads } from './load-start'
import { startHandleLoads } from './load-start-handle'
import { startSaves, startValues } from './save-start'

let at: TestLedger
let client: PoolClient
let looked: Readonly<Record<string, number>>

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

const asked: Readonly<Record<string, readonly [Statement, (id: string) => unknown[]]>> = {
  'the lock of a start': [startLoads.lock, about],
  'the lock of what is free': [startLoads.lockFree, about],
  'the load of a start': [startLoads.load, (id) => [...about(id), ...keyed(id)]],
  'the load of a start by card': [startLoads.loadCard, (id) => [...about(id), ...keyed(id)]],
  'the load of a payment to a handle': [startHandleLoads.load, ofAccount],
  'the save of a start': [startSaves.save, saved],
  'the save of a start by card': [startSaves.savePages, saved],
}

beforeAll(async () => {
  at = await openLedger()
  client = await at.database.pool.connect()
  await client.query('BEGIN')
  for (const [setting, value] of Object.entries(settlePlans)) {
    await client.query(`SET LOCAL ${setting} = ${value}`)
  }
  await client.query('SET LOCAL session_replication_role = replica')
  await fill(1, 1)
  await lookOfEach('1')
  await fill(2, 2_000)
  looked = await lookOfEach('7')
})

afterAll(async () => {
  await client.query('ROLLBACK')
  client.release()
  await at.close()
})

/** Checkouts with an attempt by card each, of an account, a phone and a key of its own. */
async function fill(from: number, to: number): Promise<void> {
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

async function lookOfEach(id: string): Promise<Record<string, number>> {
  const looks: Record<string, number> = {}
  for (const [name, [statement, valuesOf]] of Object.entries(asked)) {
    await client.query('SAVEPOINT before')
    const before = await lookedAt()
    await client.query({ ...statement, values: valuesOf(id) })
    looks[name] = (await lookedAt()) - before
    await client.query('ROLLBACK TO before')
  }
  return looks
}

async function lookedAt(): Promise<number> {
  const { rows } = await client.query<{ looked: number }>(
    `SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS looked
    FROM pg_stat_xact_user_tables
    WHERE relname IN ('intents', 'checkouts', 'wallets', 'idempotency_keys', 'card_sessions')`,
  )
  return rows[0]?.looked ?? 0
}

test.each(Object.keys(asked))(
  'a plan that was made while there were few attempts looks for %s without reading them all',
  (name) => {
    expect(looked[name]).toBeLessThan(20)
  },
)

test.each(Object.entries(asked))('%s is planned once a connection', async (_, [{ name }]) => {
  const { rows } = await client.query(
    'SELECT generic_plans::int AS generic, custom_plans::int AS custom FROM pg_prepared_statements WHERE name = $1',
    [name],
  )
  expect(rows).toEqual([{ generic: 2, custom: 0 }])
})
