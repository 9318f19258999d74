import { brokenInvariants, invariants } from './invariants.harness'
import { openLedger, type TestLedger } from './ledger.harness'
import { past } from './time.harness'

// Each invariant is broken once, past the triggers that keep it, to show that its query can fail.

// A busy machine takes its time.
jest.setTimeout(30_000)

let at: TestLedger

beforeEach(async () => {
  at = await openLedger()
  const { checkoutId } = await at.pay.checkout()
  await at.pay.paid(await at.pay.pending(checkoutId))
  const other = await at.pay.checkout()
  await at.pay.pending(other.checkoutId)
  await at.pay.paid(await at.pay.pendingToHandle(await at.pay.merchant()))
})

afterEach(async () => {
  await at.ledger.stop()
  await at.database.drop()
})

const paid = 'receipt IS NOT NULL AND checkout_id IS NOT NULL'
const plants = {
  '1 every transfer moves money between two accounts of its currency':
    "UPDATE transfers SET credit = 'wallet:nobody'",
  '4 everything is of this country': "UPDATE deployment SET country = 'ug', currency = 'UGX'",
  '7 no wallet and no suspense account is negative':
    'UPDATE transfers SET debit = credit, credit = debit',
  '8 every receipt of an intent is one transfer of its amount, and the other way round':
    'UPDATE transfers SET minor = minor + 1',
  '9 all money was posted on strong evidence, and all strong evidence was posted':
    "UPDATE provider_messages SET strength = 'E2'",
  '11 a merchant gets the amount of a checkout, or nothing': `UPDATE transfers SET credit = 'suspense:mismatch'`,
  '11 money for a handle goes to its owner, and a prompt pays what it asked for':
    'UPDATE intents SET amount_minor = amount_minor + 100 WHERE account_id IS NOT NULL',
  '13 suspense holds its open items, each for a reason':
    "UPDATE transfers SET credit = 'suspense:duplicate'",
  '17 every step is in the table, the steps join, and the last is where the intent is':
    "DELETE FROM intent_steps WHERE to_status = 'submitted'",
  '19 whoever has money has a receipt and a time, and nobody else': `UPDATE intents SET status = 'failed', cause = 'cancelled' WHERE ${paid}`,
  '20 a checkout has at most one intent in flight': `UPDATE intents SET status = 'pending', checkout_id = (SELECT checkout_id FROM intents WHERE ended_at IS NULL)
    WHERE checkout_id IS NOT NULL`,
  '21 nobody waits past a deadline': 'UPDATE intents SET deadline_at = NULL WHERE ended_at IS NULL',
  '24 no prompt went out before it was written down': 'DELETE FROM wire_attempts',
  '26 every message has a result or a time to be read':
    'ALTER TABLE provider_messages DROP CONSTRAINT provider_messages_are_sound; UPDATE provider_messages SET result = NULL',
  '30 every amount is within the limits of its country': 'UPDATE checkouts SET amount_minor = 99',
  '31 no phone has more than five prompts in an hour, and no checkout more than twenty': `
    INSERT INTO intents (id, checkout_id, rail, phone, amount_minor, status, event, created_at, submitted_at, ended_at,
      callback_secret, cause)
    SELECT 'pi_' || lpad(n::text, 24, '0'), checkout_id, rail, phone, amount_minor, 'failed', 'declined', created_at,
      submitted_at, now(), 'x', 'cancelled' FROM intents, generate_series(1, 5) n WHERE ${paid}`,
  '32 nothing ends before it began': `UPDATE intents SET settled_at = created_at - interval '1 second' WHERE ${paid}`,
} satisfies Record<keyof typeof invariants, string>

test.each(Object.entries(plants))('%s: its violation is found', async (name, plant) => {
  expect(await brokenInvariants(at.database)).toEqual({})
  await past(at.database, async (query) => {
    await query(plant)
  })
  expect(Object.keys(await brokenInvariants(at.database))).toContain(name)
})
