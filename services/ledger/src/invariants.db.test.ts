import { ProviderMessageKind, RefundSender } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { cards } from './cards/cards.harness'
import { brokenInvariants } from './invariants.harness'
import { ledgerOfFile } from './ledger.harness'
import { confirmed } from './payments.harness'
import { evidence } from './evidence/evidence.harness'
import { payBill } from './pay-bill/pay-bill.harness'
import { postings } from './reports/report-postings.harness'
import { auditQuery, ever, invariants } from './audit/store/audit'

// Each invariant is broken at least once, with triggers off and constraints dropped, to show that its query finds the
// rows. Each of these changes is rolled back.

const at = ledgerOfFile({ payBillNumberKey: Buffer.alloc(32, 3) })

beforeAll(async () => {
  const the = postings(at)
  await the.by.enroll()
  await the.posted()
  const paid = await at.pay.checkout({ idempotencyKey: 'key' })
  await at.pay.paid(await at.pay.pending(paid.checkoutId), { receipt: 'PAID000001' })
  const differs = await at.pay.checkout()
  await evidence(at).fetched(
    await at.pay.pending(differs.checkoutId),
    confirmed({ receipt: 'DIFFERS001', amountMinor: 40_000n }),
    ProviderMessageKind.STATEMENT_ROW,
  )
  const inFlight = await at.pay.checkout()
  await at.pay.pending(inFlight.checkoutId)
  await payBill(at.ledger).paid({
    accountNumber: 'rent',
    receipt: 'LOST000001',
    amountMinor: 70_000n,
  })
  await at.pay.paid(await at.pay.pendingToHandle(await at.pay.merchant()))
  const byCard = await cards(at).open()
  await cards(at).fetched(byCard.intentId, cards(at).paid(byCard))
  const reversed = await cards(at).open()
  await cards(at).fetched(reversed.intentId, cards(at).paid(reversed))
  await the.by.agreed(
    await the.by.requestedRefund(`card:${reversed.intentId}-1`, RefundSender.PROVIDER),
  )
  await at.database.pool.query('SELECT seal_journal(0, 300)')
})

const paid = `receipt = 'PAID000001'`
const ofPaid = `event_key = 'receipt:mpesa:PAID000001'`
const withoutSteps = `DELETE FROM intent_steps WHERE intent_id = (SELECT id FROM intents WHERE ${paid})`
const withoutTwo = 'ALTER TABLE report_postings DROP CONSTRAINT report_postings_need_two;'
const aWallet = `'wallet:' || (SELECT account_id FROM intents WHERE account_id IS NOT NULL)`
/** The money of the paid checkout, frozen from an account: `credit` is that of its merchant. */
const frozen = (from: string) => `INSERT INTO transfers
    SELECT 'frozen:mpesa:PAID000001', 0, ${from}, 'suspense:unconfirmed', currency, minor, event_at, created_at FROM transfers WHERE ${ofPaid};
  INSERT INTO suspense_items (event_key, leg, reason, intent_id, minor, opened_at)
  SELECT 'frozen:mpesa:PAID000001', 0, 'unconfirmed', id, settled_minor, settled_at FROM intents WHERE ${paid}`
const plants: Readonly<Record<number, string>> = {
  1: `UPDATE transfers SET credit = 'wallet:unknown'`,
  2: `ALTER TABLE transfers DROP CONSTRAINT transfers_minor_is_positive; UPDATE transfers SET minor = 0`,
  3: `UPDATE transfers SET credit = 'wallet:unknown'`,
  4: `UPDATE deployment SET country = 'ug', currency = 'UGX'`,
  5: `UPDATE transfers SET event_at = event_at + interval '1 second' WHERE ${ofPaid}`,
  6: 'ALTER TABLE wallets ADD COLUMN balance_minor BIGINT',
  7: `UPDATE transfers SET debit = credit, credit = debit WHERE ${ofPaid}`,
  8: `UPDATE transfers SET minor = minor + 1 WHERE ${ofPaid}`,
  9: `UPDATE provider_messages SET strength = 'E2' WHERE ${paid}`,
  10: `UPDATE transfers SET event_key = 'gift:mpesa:PAID000001' WHERE ${ofPaid}`,
  11: `UPDATE transfers SET credit = 'suspense:mismatch' WHERE ${ofPaid}`,
  12: `UPDATE intents SET settled_minor = settled_minor - 1 WHERE ${paid}`,
  13: `UPDATE transfers SET credit = 'suspense:duplicate' WHERE ${ofPaid}`,
  14: `UPDATE transfers SET minor = minor + 100 WHERE credit = 'fee:card'`,
  15: `UPDATE intents SET status = 'reversed' WHERE ${paid}`,
  16: `INSERT INTO transfers SELECT 'refunded:mpesa:PAID000001', 0, credit, debit, currency, minor + 1, event_at, created_at
    FROM transfers WHERE ${ofPaid}`,
  17: `DELETE FROM intent_steps WHERE to_status = 'submitted'`,
  18: `INSERT INTO intent_steps (intent_id, from_status, event, to_status, at)
    SELECT id, 'completed', 'declined', 'failed', now() FROM intents WHERE ${paid}`,
  19: `UPDATE intents SET status = 'failed', cause = 'cancelled' WHERE ${paid}`,
  20: `DROP INDEX intents_one_in_flight; UPDATE intents SET ended_at = NULL, status = 'pending',
    checkout_id = (SELECT checkout_id FROM intents WHERE ended_at IS NULL) WHERE ${paid}`,
  21: 'UPDATE intents SET deadline_at = NULL WHERE ended_at IS NULL',
  22: `UPDATE intents SET ended_at = NULL WHERE ${paid}`,
  23: `ALTER TABLE wire_attempts DROP CONSTRAINT wire_attempts_pkey;
    INSERT INTO wire_attempts SELECT * FROM wire_attempts LIMIT 1`,
  24: 'DELETE FROM wire_attempts',
  25: `UPDATE idempotency_keys SET checkout_id = 'cs_ke_gone' WHERE checkout_id IS NOT NULL`,
  26: `ALTER TABLE provider_messages DROP CONSTRAINT provider_messages_are_sound;
    UPDATE provider_messages SET result = NULL`,
  28: `UPDATE checkouts SET description = 'mkp_test_' || repeat('A', 52)`,
  29: `UPDATE pay_bill_numbers SET number = left(number, 9) || (right(number, 1)::int + 1) % 10`,
  30: 'UPDATE checkouts SET amount_minor = 99',
  31: `INSERT INTO intents (id, checkout_id, rail, phone, amount_minor, asked_minor, status, event, created_at,
      submitted_at, ended_at, callback_secret, cause)
    SELECT 'pi_' || lpad(n::text, 24, '0'), checkout_id, rail, phone, amount_minor, asked_minor, 'failed', 'declined', created_at,
      submitted_at, now(), 'x', 'cancelled' FROM intents, generate_series(1, 5) n WHERE ${paid};
    INSERT INTO intent_steps (intent_id, from_status, event, to_status, at)
    SELECT id, 'none', 'accepted', 'created', now() FROM intents WHERE callback_secret = 'x'`,
  32: `UPDATE intents SET settled_at = created_at - interval '1 second' WHERE ${paid}`,
}

/** More ways to break an invariant: its number, and the change. */
const others: readonly (readonly [number, string])[] = [
  // The database refuses neither a move that the transition table lacks nor an unknown event. A move without a step is
  // possible only in this test, where the trigger that writes the steps is off.
  [
    17,
    `INSERT INTO intent_steps (intent_id, from_status, event, to_status, at)
    SELECT id, 'completed', 'acknowledged', 'pending', now() FROM intents WHERE ${paid};
    UPDATE intents SET status = 'pending' WHERE ${paid}`,
  ],
  [
    17,
    `INSERT INTO intent_steps (intent_id, from_status, event, to_status, at)
    SELECT id, status, 'bribed', 'reversed', now() FROM intents WHERE ${paid};
    UPDATE intents SET status = 'reversed' WHERE ${paid}`,
  ],
  [17, `UPDATE intents SET status = 'reversed' WHERE ${paid}`],
  [17, `DELETE FROM intents WHERE ${paid}`],
  [17, withoutSteps],
  [16, `UPDATE refunds SET status = 'submitted'`],
  [16, `UPDATE refunds SET status = 'failed', sent_by = 'us', submitted_at = NULL`],
  [16, `UPDATE refunds SET sent_by = 'us', submitted_at = NULL`],
  [
    9,
    `INSERT INTO payment_reports (intent_id, receipt, message_id, provider, minor, reported_at)
    SELECT id, 'UNPOSTED01', 'pm', 'mpesa', 1, now() - interval '11 minutes' FROM intents WHERE ${paid}`,
  ],
  [9, 'UPDATE report_postings SET minor = minor + 1'],
  [9, `UPDATE report_postings SET status = 'withdrawn'`],
  // The posting names the receipt of another attempt, and no message says that operators posted it.
  [
    9,
    `UPDATE report_postings SET receipt = 'PAID000001';
    UPDATE provider_messages SET kind = 'query_answer' WHERE kind = 'operator'`,
  ],
  [9, `${withoutTwo} UPDATE report_postings SET decided_by = asked_by`],
  [9, `${withoutTwo} UPDATE report_postings SET decided_by = NULL`],
  [9, `${withoutTwo} UPDATE report_postings SET decided_by = asked_by, decided_at = NULL`],
  [
    21,
    `UPDATE intents SET status = 'failed', reported_at = ended_at - interval '1 second' WHERE ${paid}`,
  ],
  [
    21,
    `UPDATE intents SET status = 'expired', reported_at = ended_at - interval '1 second',
      held_until = ended_at + interval '1 second' WHERE ${paid}`,
  ],
  [21, `UPDATE intents SET held_until = deadline_at + interval '1 second' WHERE ended_at IS NULL`],
  [11, 'UPDATE intents SET amount_minor = amount_minor + 100 WHERE account_id IS NOT NULL'],
  [11, 'UPDATE intents SET handle = NULL'],
  [11, 'UPDATE intents SET asked_minor = asked_minor + 100 WHERE account_id IS NOT NULL'],
  [12, `UPDATE intents SET asked_minor = asked_minor + 100 WHERE ${paid}`],
  // Held money is given to a wallet that has no payment of it.
  [
    11,
    `INSERT INTO transfers SELECT 'placed:mpesa:LOST000001', 0, credit, ${aWallet}, currency, minor, event_at, created_at
    FROM transfers WHERE event_key = 'receipt:mpesa:LOST000001'`,
  ],
  // Frozen money goes back to what its merchant owes, though all of it was taken from the wallet.
  [
    11,
    `${frozen('credit')};
    INSERT INTO transfers SELECT 'placed:mpesa:PAID000001', leg, credit, replace(debit, 'wallet', 'receivable'), currency, minor,
      event_at, created_at FROM transfers WHERE event_key = 'frozen:mpesa:PAID000001'`,
  ],
  [13, frozen(aWallet)],
  [13, `UPDATE suspense_items SET minor = minor + 1`],
  [13, 'UPDATE suspense_items SET is_closed = true'],
  [14, `UPDATE transfers SET credit = 'fee:card' WHERE debit = 'float:card'`],
  [14, 'UPDATE card_sessions SET fee_minor = 0'],
  [15, `DELETE FROM transfers WHERE debit = 'fee:card'`],
  [15, `DELETE FROM transfers WHERE debit ~ '^wallet:' AND credit = 'float:card'`],
  [
    15,
    `UPDATE transfers SET debit = ${aWallet} WHERE debit ~ '^wallet:' AND credit = 'float:card'`,
  ],
  [16, `UPDATE transfers SET minor = minor + 100 WHERE debit = 'fee:card'`],
  [16, `UPDATE refunds SET status = 'failed', sent_by = 'us', submitted_at = asked_at`],
  [16, `UPDATE refunds SET provider = 'mpesa', receipt = 'LOST000001'`],
  [16, `DELETE FROM transfers WHERE event_key LIKE 'refunded:%'`],
  [
    26,
    `ALTER TABLE provider_messages DROP CONSTRAINT provider_messages_are_sound;
    UPDATE provider_messages SET applied_at = NULL`,
  ],
  [28, `UPDATE idempotency_keys SET key = 'mkp_live_' || repeat('A', 52)`],
  [28, `UPDATE provider_messages SET body = convert_to('mkp_live_' || repeat('A', 52), 'UTF8')`],
  [
    29,
    `ALTER TABLE pay_bill_numbers DROP CONSTRAINT pay_bill_numbers_shape;
    UPDATE pay_bill_numbers SET number = lower(number)`,
  ],
  [
    29,
    `ALTER TABLE pay_bill_numbers DROP CONSTRAINT pay_bill_numbers_pkey;
    UPDATE pay_bill_numbers SET number = (SELECT min(number) FROM pay_bill_numbers)`,
  ],
  [30, 'UPDATE intents SET amount_minor = 99 WHERE account_id IS NOT NULL'],
  [30, 'UPDATE checkouts SET amount_minor = 15000001'],
  [
    30,
    `UPDATE deployment SET country = 'ug', currency = 'UGX'; UPDATE checkouts SET amount_minor = 150`,
  ],
]

test('every invariant from 1 to 32 has its query, except number 27, which is about keys', () => {
  const numbers = Array.from({ length: 32 }, (_, at) => at + 1).filter((number) => number !== 27)
  expect(invariants.map(({ number }) => number)).toEqual(numbers)
  expect(Object.keys(plants).map(Number)).toEqual(numbers)
})

test('every invariant holds in the database of a ledger in use', async () => {
  expect(await brokenInvariants(at.database)).toEqual({})
})

/** Breaks an invariant by `plant`. Returns what its query finds in all rows, and in the rows that were touched since. */
async function findPlanted(number: number | string, plant: string) {
  const queries = invariants.find((one) => String(one.number) === String(number)) ?? { query: '' }
  const client = await at.database.pool.connect()
  await client.query('BEGIN; SET LOCAL session_replication_role = replica')
  await client.query(plant)
  const find = async (isOfAll: boolean) => {
    const answer = auditQuery(queries, isOfAll)
    const { rows } = await client.query<{ rows: number; examples: string[] }>(answer, [ever])
    return rows[0]
  }
  const found = { ofAll: await find(true), ofTouched: await find(false) }
  await client.query('ROLLBACK')
  client.release()
  return found
}

test.each([...Object.entries(plants), ...others])(
  'the query of invariant %s finds what is broken by %s',
  async (number, plant) => {
    const { ofAll, ofTouched } = await findPlanted(number, plant)
    expect(ofAll?.rows).toBeGreaterThan(0)
    expect(ofAll?.examples).not.toContain(null)
    // An audit of recent changes finds intents by their steps, so it does not see one that has lost all of them.
    if (plant !== withoutSteps) expect(ofTouched?.rows).toBeGreaterThan(0)
  },
)

test('the query of invariant 28 finds a secret key in each text column of checkouts', async () => {
  // A CHECK or a foreign key keeps a secret key out of the other columns.
  const { rows } = await at.database.pool.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = 'checkouts' AND data_type = 'text'
      AND column_name NOT IN ('id', 'account_id', 'phone')`,
  )
  expect(rows.length).toBeGreaterThan(2)
  const missed: string[] = []
  for (const { name } of rows) {
    const plant = `UPDATE checkouts SET ${name} = 'mkp_live_' || repeat('A', 52)`
    const { ofAll } = await findPlanted(28, plant)
    if ((ofAll?.rows ?? 0) === 0) missed.push(name)
  }
  expect(missed).toEqual([])
})
