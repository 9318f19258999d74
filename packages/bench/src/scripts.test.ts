import type { Captured } from './capture'
import {
  createManyScript,
  createScript,
  readScript,
  settleManyScript,
  settleScript,
} from './scripts'

const captured: Captured = {
  create: {
    sql: `SELECT * FROM create_checkout(
      p_checkout_id => $1, p_key => $2, p_reference => $3
    ), (VALUES ($4::text)) given (number)`,
    values: ['cs_ke_1', 'key', "it's", 'CS00005724'],
  },
  apply: {
    sql: 'SELECT result FROM apply_evidence(p_message_id => $1, p_receipt => $2, p_paid_at => $3, p_new_intent_id => $4)',
    values: ['pm_1', 'R1', null, 'pi_1'],
  },
  together: {
    sql: 'SELECT place FROM settle_together(p_items => $1::jsonb)',
    values: ['[]'],
  },
  createTogether: {
    sql: 'SELECT place FROM create_together(p_items => $1::jsonb)',
    values: [`[{"place":0,"description":"it's"}]`],
  },
  read: {
    sql: 'SELECT * FROM "checkout_views" WHERE "checkout_id" = $1 LIMIT $2',
    values: ['cs', '1'],
  },
  paidIntentId: 'pi_0',
  intentId: 'pi_1',
  checkoutId: 'cs_ke_1',
  messageId: 'pm_1',
}

test('what the ledger sent is what runs, but for the ids', () => {
  expect(settleScript(captured)).toContain(
    `SELECT result FROM apply_evidence(p_message_id => (bench_id('pm_', :n::bigint)), ` +
      `p_receipt => ('R' || :n::bigint), p_paid_at => NULL, p_new_intent_id => `,
  )
  expect(createScript(captured)).toContain(`p_reference => 'it''s'`)
  expect(createScript(captured)).toContain(`VALUES (('CS' || lpad(:n::text, 8, '0'))::text)`)
  expect(readScript(captured)).toContain(
    `"checkout_id" = (bench_id('cs_ke_', :n::bigint)) LIMIT '1'`,
  )
})

test('a batch settles as many as it says in one statement', () => {
  const script = settleManyScript(captured, 64)
  expect(script).toContain('SELECT place FROM settle_together(p_items => (SELECT jsonb_agg(')
  expect(script).toContain('generate_series((:n::bigint - 1) * 64 + 1, :n::bigint * 64)')
})

test('a batch of checkouts is what the ledger sent, but for the ids', () => {
  const script = createManyScript(captured, 16)
  expect(script).toContain(
    `jsonb_agg('{"place":0,"description":"it''s"}'::jsonb || jsonb_build_object(`,
  )
  expect(script).toContain(':n::bigint * 16)')
})

test('nothing is measured that the ledger does not send any more', () => {
  const apply = { sql: 'SELECT 1 FROM other(p_id => $1)', values: ['x'] }
  expect(() => settleScript({ ...captured, apply })).toThrow(/p_message_id/)
})

test('a client that has used up its rows fails, and is not fast', () => {
  expect(settleScript(captured)).toMatch(/\\if :i > :each\nSELECT 1 \/ 0;/)
})
