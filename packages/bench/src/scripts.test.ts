import type { Captured, Settling } from './capture'
import { createScript, readScript, scriptText, settleManyScript, settleScript } from './scripts'

function settling(lock: string): Settling {
  return {
    lock: { sql: lock, values: ['{pm_1}'] },
    load: {
      sql: 'SELECT $1::text[], $2::text[], $3::text[], $4::jsonb ->> i.rail',
      values: ['{pm_1}', '{receipt}', '{R1}', '{"mpesa":"mpesa"}'],
    },
    save: {
      sql: 'INSERT INTO transfers SELECT $1::timestamptz, $2::jsonb, $3::jsonb, $4::jsonb, $5::jsonb, $1',
      values: [
        ...['2026-11-22', `[{"eventKey":"receipt:mpesa:R1","credit":"wallet:it's"}]`],
        '{"pi_1":{"id":"pi_1"}}',
        '{"matched":[],"paymentEvents":[{"type":"checkout.completed","checkout_id":"cs_ke_0"}]}',
        '{"pm_1":{"id":"pm_1"}}',
      ],
    },
  }
}

const captured: Captured = {
  create: {
    sql: 'WITH given AS (SELECT n.*, $2 AS life FROM jsonb_to_recordset($1::jsonb) n) -- which\nSELECT place FROM given',
    values: [`[{"place":0,"description":"it's"}]`, '1800'],
  },
  settle: settling('SELECT id FROM intents -- which\n WHERE m.id = ANY ($1::text[])'),
  settleTogether: settling('SELECT id FROM intents WHERE m.id = ANY ($1::text[]) SKIP LOCKED'),
  read: {
    sql: "SELECT c.id FROM unnest($1::text[]) asked (id) JOIN checkouts c ON c.id = asked.id WHERE c.key = 'receipt:mpesa:'",
    values: ['{cs}'],
  },
  paidIntentId: 'pi_0',
  intentId: 'pi_1',
  checkoutId: 'cs_ke_1',
  messageId: 'pm_1',
}

test('the settle script replays the captured statements with generated ids, pipelining what the ledger pipelines', () => {
  const { text, sent } = settleScript(captured)
  expect(text).toContain('\\startpipeline\nBEGIN;\nSELECT id FROM intents WHERE')
  expect(text).toContain('m.id = ANY (:message_ids::text[])')
  expect(text).toContain(`SELECT '2026-11-22'::timestamptz::timestamptz, :transfers::jsonb`)
  expect(text).toMatch(/'\{"mpesa":"mpesa"\}'::jsonb ->> i\.rail;\n\\endpipeline\nINSERT/)
  expect(text).toMatch(/;\nCOMMIT;\n$/)
  expect(sent['message_ids']).toContain(`ARRAY (SELECT bench_id('pm_', n) FROM generate_series(`)
  expect(sent['transfers']).toContain(
    String.raw`jsonb_agg(E'{"eventKey"\x3a"receipt\x3ampesa\x3aR1","credit"\x3a"wallet\x3ait''s"}'::jsonb || `,
  )
  expect(sent['transfers']).toContain(
    String.raw`jsonb_build_object('eventKey', E'receipt\x3ampesa\x3aR' || n)`,
  )
  expect(sent['messages']).toContain(
    `jsonb_object_agg(bench_id('pm_', n), '{"id":"pm_1"}'::jsonb || `,
  )
  expect(sent['others']).toContain(`jsonb_build_object('checkout_id', bench_id('cs_ke_', n))`)
  expect(readScript(captured)).toContain(
    `FROM unnest(ARRAY[bench_id('cs_ke_', :n::bigint)]::text[]) asked`,
  )
})

test('escapes a colon in a string literal, so that pgbench reads no variable there', () => {
  expect(readScript(captured)).toContain(String.raw`c.key = E'receipt\x3ampesa\x3a'`)
})

test('the script of a batch settles the given number of payments in one transaction', () => {
  const { text, sent } = settleManyScript(captured, 64)
  expect(text).toContain('SKIP LOCKED;')
  expect(sent['receipts']).toContain('generate_series((b.n - 1) * 64 + 1, b.n * 64)')
})

test.each([1, 16])(
  'the create script replays the captured statement for %s checkouts with generated ids',
  (many) => {
    const { text, sent } = createScript(captured, many)
    expect(sent['items']).toContain(
      `jsonb_agg('{"place":0,"description":"it''s"}'::jsonb || jsonb_build_object('place', n, `,
    )
    expect(sent['items']).toContain(`b.n * ${String(many)})`)
    expect(text).toContain(`SELECT n.*, '1800' AS life FROM jsonb_to_recordset(:items::jsonb) n)`)
    expect(text).toMatch(/ n\) SELECT place FROM given;\n$/)
  },
)

test('a script reads the parameters that were prepared for the number of its transaction', () => {
  const text = scriptText({ text: 'SELECT :a, :b;\n', sent: { a: '1', b: '2' } })
  expect(text).toMatch(/SELECT a, b FROM bench_sent WHERE n = :n::bigint \\gset\nSELECT :a, :b;\n$/)
})

test('refuses a captured statement whose parameters are not the expected ones', () => {
  const lock = { sql: 'SELECT 1 FROM other($1, $2)', values: ['x', 'y'] }
  const settle = { ...captured.settle, lock }
  expect(() => settleScript({ ...captured, settle })).toThrow(/other parameters/)
})

test('the script of a client fails by a division by zero once its prepared rows are used up, so that its speed is not counted', () => {
  expect(scriptText(settleScript(captured))).toMatch(/\\if :i > :each\nSELECT 1 \/ 0;/)
})
