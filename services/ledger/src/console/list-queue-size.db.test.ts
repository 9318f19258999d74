import { ledgerOfFile } from '../ledger.harness'
import { past } from '../time.harness'

const at = ledgerOfFile()

const rowsOfKind = 50
const hex = `lpad(to_hex(n), 24, '0')`
const [asker, decider] = [`'op_${'a'.repeat(24)}'`, `'op_${'b'.repeat(24)}'`]
const receipt = (kind: string) => `rpad('${kind}' || n, 64, 'X')`

/** A refund that was approved, and sent a while ago. */
const refund = (kind: string, given: { status: string; closing?: string }) => `
  INSERT INTO refunds (id, provider, receipt, minor, sent_by, status, asked_by, asked_at, decided_by, callback_secret,
    submitted_at, closing, closing_asked_by)
  SELECT 'rf_${kind}' || right(${hex}, 23), 'airtel_money', ${receipt(kind)}, 50000, 'us', '${given.status}', ${asker}, now(),
    ${given.status === 'asked' ? 'NULL' : decider}, 's', now(), ${given.closing ?? 'NULL'},
    ${given.closing === undefined ? 'NULL' : asker}`

/** Rows of nine kinds that wait, with the longest texts that they may have. */
const waiting = [
  `INSERT INTO placements (id, subject, account_id, status, asked_by, asked_at)
   SELECT 'pl_' || ${hex}, 'airtel_money:' || ${receipt('p')}, rpad('acct_' || n, 64, 'x'), 'asked', ${asker}, now()`,
  refund('a', { status: 'asked' }),
  refund('b', { status: 'submitted' }),
  refund('c', { status: 'submitted', closing: `'paid'` }),
  `INSERT INTO report_closings (id, subject, status, asked_by, asked_at)
   SELECT 'rc_' || ${hex}, 'airtel_money:' || ${receipt('r')}, 'asked', ${asker}, now()`,
  `INSERT INTO freezings (id, account_id, is_frozen, status, asked_by, asked_at)
   SELECT 'fr_' || ${hex}, rpad('acct_' || n, 64, 'x'), true, 'asked', ${asker}, now()`,
  `INSERT INTO operators (id, name, public_key, asked_by, asked_at)
   SELECT 'op_' || left(encode(sha256(key), 'hex'), 24), rpad('op' || n, 32, 'x'), key, ${asker}, now()
   FROM generate_series(1, ${String(rowsOfKind)}) n, decode(lpad(to_hex(n), 64, '0'), 'hex') key`,
  `INSERT INTO provider_messages (id, rail, kind, body, source_address, source_known, received_at, result, applied_at, detail)
   SELECT 'pm_' || ${hex}, 'paybill', 'callback', '', '', true, now(), 'parked', now(), repeat('x', 160)`,
  `INSERT INTO recon_reports (day, provider, made_at, provider_receipts, provider_minor, journal_receipts, journal_minor,
     refunded_minor, float_minor, difference_minor, differing)
   SELECT current_date - n, 'airtel_money', now(), 0, 0, 0, 0, 0, 0, 1, '{}'`,
]

test('lists what fits in one message, the oldest of each kind, and counts all, when much waits of many kinds', async () => {
  await past(at.database, async (query) => {
    for (const sql of waiting) {
      const isWhole = sql.includes('generate_series')
      await query(isWhole ? sql : `${sql} FROM generate_series(1, ${String(rowsOfKind)}) n`)
    }
  })
  const { items, totals } = await at.ledger.listQueue({ limit: 50 })
  expect(totals.map(({ count }) => count)).toEqual(Array(waiting.length).fill(rowsOfKind))
  const listed = totals.map((total) => items.filter(({ kind }) => kind === total.kind).length)
  expect(Math.min(...listed)).toBeGreaterThan(30)
  expect(Math.max(...listed) - Math.min(...listed)).toBeLessThanOrEqual(1)
  expect((await at.ledger.listQueue({ limit: 20 })).items).toHaveLength(20 * waiting.length)
  // Removes the rows that the test made up, so that every invariant holds.
  await past(at.database, async (query) => {
    for (const sql of waiting) await query(`DELETE FROM ${/INTO (\w+)/.exec(sql)?.[1] ?? ''}`)
  })
})
