import { EvidenceResult, IntentStatus } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import type { TestLedger } from '../ledger.harness'
import { insist, present } from '../payments.harness'
import { slowDown } from '../time.harness'
import { type Batches, openBatches } from './batches.harness'
import { evidence } from './evidence.harness'

let batches: Batches
let at: TestLedger

beforeAll(async () => {
  batches = await openBatches()
  at = batches.at
})

afterAll(() => batches.close())

test('row 67: a batch whose database connection is cut while it posts settles no message, and settles all when repeated', async () => {
  const items = await batches.many(8)
  const receipts = items.map(({ receipt }) => receipt).sort()
  await at.database.pool.query(`
    CREATE FUNCTION cut_off() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(10); RETURN NEW; END $$;
    CREATE TRIGGER cut_off BEFORE INSERT ON transfers FOR EACH ROW
      WHEN (NEW.event_key = 'receipt:mpesa:${present(receipts[5])}') EXECUTE FUNCTION cut_off()`)
  await expect(batches.settle(items)).rejects.toThrow(
    /terminating connection|Connection terminated/,
  )
  await at.database.pool.query('DROP TRIGGER cut_off ON transfers')
  const { rows } = await at.database.pool.query(
    `SELECT 1 FROM transfers WHERE event_key = ANY ($1)`,
    [receipts.map((receipt) => `receipt:mpesa:${receipt}`)],
  )
  expect(rows).toEqual([])
  expect(new Set(await batches.settle(items))).toEqual(new Set(['settled']))
})

test('payments that arrive at the same moment are settled in fewer commits than payments, and each caller gets its own answer', async () => {
  const items = await batches.many(24)
  const answers = await Promise.all(items.map((one) => batches.alone(one)))
  expect(answers).toEqual(
    items.map(() => ({
      result: EvidenceResult.SETTLED,
      status: IntentStatus.COMPLETED,
    })),
  )
  const { rows } = await at.database.pool.query<{ commits: number }>(
    'SELECT count(DISTINCT applied_at)::int AS commits FROM provider_messages WHERE id = ANY ($1)',
    [items.map(({ message_id }) => message_id)],
  )
  expect(rows[0]?.commits).toBeLessThan(24)
})

test('a payment that cannot be settled fails alone, and the others of its batch are settled', async () => {
  const items = await batches.many(20)
  const poisoned = present(items[11])
  await at.database.pool.query(`
    CREATE TRIGGER poison BEFORE INSERT ON transfers FOR EACH ROW
      WHEN (NEW.event_key = 'receipt:mpesa:${poisoned.receipt}') EXECUTE FUNCTION refuse_change('poison')`)
  const answers = await Promise.allSettled(items.map((one) => batches.alone(one)))
  expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  expect(answers[11]).toMatchObject({ reason: { reason: 'internal' } })
  await at.database.pool.query('DROP TRIGGER poison ON transfers')
  expect(await batches.alone(poisoned)).toMatchObject({
    result: EvidenceResult.SETTLED,
  })
})

test('row 79: two batches that claim the same receipts in opposite orders do not deadlock', async () => {
  await slowDown(at.database, 'transfers')
  const [these, those] = [await batches.many(8), await batches.many(8)]
  const rivals = those.map((one, place) => ({
    ...one,
    receipt: present(these[place]).receipt,
  }))
  const [results, others] = await Promise.all([
    batches.settle(these),
    batches.settle(rivals.reverse()),
  ])
  expect([...results, ...others].filter((result) => result === 'settled')).toHaveLength(8)
})

test('two ledgers that settle the same payments in opposite orders post each once', async () => {
  const other = await at.another()
  const items = await batches.many(20)
  const answers = await Promise.all([
    ...items.map((one) => insist(() => batches.alone(one))),
    ...[...items].reverse().map((one) => insist(() => batches.alone(one, other.ledger))),
  ])
  expect(new Set(answers.map(({ result }) => result))).toEqual(new Set([EvidenceResult.SETTLED]))
  const { rows } = await at.database.pool.query(
    'SELECT 1 FROM transfers WHERE event_key = ANY ($1)',
    [items.map(({ receipt }) => `receipt:mpesa:${receipt}`)],
  )
  expect(rows).toHaveLength(20)
})

test('a message that another transaction parks while it is applied posts nothing and returns "parked"', async () => {
  const one = await batches.item(await evidence(at).pending())
  const sweep = await at.database.pool.connect()
  await sweep.query('BEGIN')
  await sweep.query(
    `UPDATE provider_messages SET result = 'parked', applied_at = now(), next_action_at = NULL WHERE id = $1`,
    [one.message_id],
  )
  const answer = batches.alone(one)
  await eventually('it waits for the message', async () => {
    const { rows } = await at.database.pool.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return rows.length > 0
  })
  await sweep.query('COMMIT')
  sweep.release()
  expect((await answer).result).toBe(EvidenceResult.PARKED)
  const { rows } = await at.database.pool.query('SELECT 1 FROM transfers WHERE event_key = $1', [
    `receipt:mpesa:${one.receipt}`,
  ])
  expect(rows).toEqual([])
})
