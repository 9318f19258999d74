import type { TakenStatementRow } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { digestStatementRow } from '@malipo/contracts/statement-row'
import { eventually } from '@malipo/testing/eventually'
import { ledgerOfFile } from '../ledger.harness'
import { hold, meanwhile } from '../locks.harness'
import { present, uniqueReceipt } from '../payments.harness'
import { evidence } from '../evidence/evidence.harness'
import { payBillNumberKey } from '../pay-bill/pay-bill.harness'
import { startLedger } from '../start.harness'
import { letPass } from '../time.harness'
import { bodyOf, paidOf, statementRows } from './statement-rows.harness'

const at = ledgerOfFile({ payBillNumberKey })
const statement = statementRows(at)

const amountMinor = 50_000n

const results = (rows: readonly TakenStatementRow[]) =>
  rows.map(({ result }) => result.replace('EVIDENCE_RESULT_', ''))

async function creditsOf(receipts: readonly string[]): Promise<Record<string, string[]>> {
  const { rows } = await at.database.pool.query<{ receipt: string; credits: string[] }>(
    `SELECT split_part(event_key, ':', 3) AS receipt, array_agg(credit) AS credits FROM transfers
    WHERE event_key = ANY ($1) GROUP BY 1`,
    [receipts.map((receipt) => `receipt:mpesa:${receipt}`)],
  )
  return Object.fromEntries(rows.map(({ receipt, credits }) => [receipt, credits]))
}

test('a page of the statement posts each payment once, and says whose checkout it paid', async () => {
  const [open, reported] = [await statement.payment(), await statement.payment()]
  await statement.menu.paid(reported.payment)
  const handle = { accountId: open.accountId, handle: 'Mama-Mboga' }
  const byHandle = {
    accountNumber: 'mama-mboga',
    payee: handle,
    amountMinor,
    receipt: uniqueReceipt(),
  }
  const unknown = { accountNumber: 'rent november', amountMinor, receipt: uniqueReceipt() }
  const page = [open.payment, unknown, reported.payment, byHandle]
  const first = await statement.shown(page)
  expect(results(first)).toEqual(['SETTLED', 'SETTLED', 'ALREADY_SETTLED', 'SETTLED'])
  expect(first.map(({ checkoutId }) => checkoutId)).toEqual([
    open.checkoutId,
    undefined,
    undefined,
    undefined,
  ])
  // The same page once more, in another order.
  expect(results(await statement.shown([...page].reverse()))).toEqual(results(first).reverse())
  expect(await creditsOf(page.map(({ receipt }) => receipt))).toEqual({
    [open.payment.receipt]: [`wallet:${open.accountId}`],
    [unknown.receipt]: ['suspense:unmatched'],
    [reported.payment.receipt]: [`wallet:${reported.accountId}`],
    [byHandle.receipt]: [`wallet:${open.accountId}`],
  })
})

test('leaves out the second of two payments of one checkout in a page; applied alone it is a duplicate', async () => {
  const { payment, accountId } = await statement.payment()
  const second = { ...payment, receipt: uniqueReceipt() }
  expect(results(await statement.shown([payment, second]))).toEqual(['SETTLED', 'UNSPECIFIED'])
  expect(results(await statement.shown([payment, second]))).toEqual(['SETTLED', 'SETTLED'])
  expect(await creditsOf([payment.receipt, second.receipt])).toEqual({
    [payment.receipt]: [`wallet:${accountId}`],
    [second.receipt]: ['suspense:duplicate'],
  })
})

test('confirmations and two statement readers, at two ledgers at the same moment, post each payment once', async () => {
  const all = await Promise.all(Array.from({ length: 40 }, () => statement.payment()))
  const another = await at.another({ payBillNumberKey })
  const page = all.map(({ payment }) => payment)
  const reversed = [...page].reverse()
  await Promise.all([
    statement.shown(page),
    statement.shown(reversed, another),
    ...page.map((payment) => statement.menu.paid(payment)),
  ])
  const rest = await statement.shown(page)
  expect(results(rest).every((result) => result.includes('SETTLED'))).toBe(true)
  expect(await creditsOf(page.map(({ receipt }) => receipt))).toEqual(
    Object.fromEntries(
      all.map(({ payment, accountId }) => [payment.receipt, [`wallet:${accountId}`]]),
    ),
  )
})

test('a row with another amount than an earlier row posts nothing and alerts an operator', async () => {
  const { payment, accountId } = await statement.payment()
  await statement.shown([payment])
  const counted = () => evidence(at).counted('statement_row_contradicts')
  const before = await counted()
  expect(results(await statement.shown([{ ...payment, amountMinor: 70_000n }]))).toEqual([
    'CONTRADICTION',
  ])
  expect(await counted()).toBe(before + 1)
  const { rows } = await at.database.pool.query(
    `SELECT s.minor AS stated, t.minor AS posted, t.credit FROM statement_rows s
    JOIN transfers t ON t.event_key = 'receipt:mpesa:' || s.receipt WHERE s.receipt = $1`,
    [payment.receipt],
  )
  expect(rows).toEqual([{ stated: '50000', posted: '50000', credit: `wallet:${accountId}` }])
})

test('when one row cannot be applied, the call posts none of its rows, and the others are posted when each is applied alone', async () => {
  const [good, bad] = [await statement.payment(), await statement.payment()]
  const all = [good.payment, bad.payment]
  const facts = [paidOf(good.payment), { ...paidOf(bad.payment), amountMinor: 0n }]
  const rows = all.map((payment, place) => ({ body: bodyOf(payment), paid: facts[place] }))
  const answer = await at.ledger.takeStatementRows({ rows })
  expect(results(answer.rows)).toEqual(['UNSPECIFIED', 'UNSPECIFIED'])
  const receipts = all.map(({ receipt }) => receipt)
  expect(await creditsOf(receipts)).toEqual({})
  const due = { kind: 'statement_row', deliveries: 1, result: null, isDue: true }
  expect(await statement.inbox(all)).toEqual([due, due])
  for (const [place, value] of facts.entries()) {
    const messageId = present(answer.rows[place]).messageId
    await at.ledger
      .applyEvidence({ messageId, fact: { $case: 'payBillPaid', value } })
      .catch(() => undefined)
  }
  expect(await creditsOf(receipts)).toEqual({
    [good.payment.receipt]: [`wallet:${good.accountId}`],
  })
})

const applied = { kind: 'statement_row', deliveries: 1, result: 'settled', isDue: false }

test('a row is stored once with its result, however often the statement shows it', async () => {
  const { payment } = await statement.payment()
  const [row, same] = await statement.shown([payment, payment])
  expect(same).toEqual(row)
  const again = await statement.shown([payment])
  expect(again.map(({ messageId }) => messageId)).toEqual([row?.messageId])
  expect(await statement.inbox([payment])).toEqual([applied])
})

test('a payment that the statement shows first is logged as settled once, with its ids', async () => {
  const written: string[] = []
  const write = (line: string) => written.push(line)
  const ledger = await startLedger(at.database, { payBillNumberKey, logLevel: 'info' }, { write })
  const { payment, checkoutId } = await statement.payment()
  const [row] = await statement.shown([payment], { ledger })
  await statement.shown([payment], { ledger })
  await ledger.stop()
  const { rows } = await at.database.pool.query(
    'SELECT id AS "intentId" FROM intents WHERE checkout_id = $1',
    [checkoutId],
  )
  const settled = written
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'settled')
  expect(settled).toMatchObject([{ ...rows[0], checkoutId, messageId: row?.messageId }])
})

test('a row that cannot be parsed is stored, handed out to be read, and applied when the statement shows it again', async () => {
  const { payment, accountId } = await statement.payment()
  const [row] = await statement.shownUnread([payment])
  expect(results([present(row)])).toEqual(['UNSPECIFIED'])
  await at.database.pool.query(
    "UPDATE provider_messages SET next_action_at = now() - interval '1 hour' WHERE id = $1",
    [row?.messageId],
  )
  const { due } = await at.ledger.claimDue({ limit: 10 })
  expect(due).toContainEqual({ work: { $case: 'readMessageId', value: row?.messageId } })
  const [shown] = await statement.shown([payment])
  expect(shown?.messageId).toBe(row?.messageId)
  expect(await creditsOf([payment.receipt])).toEqual({ [payment.receipt]: [`wallet:${accountId}`] })
  expect(await statement.inbox([payment])).toEqual([applied])
})

test('a row that was handed out twenty times without an end is not parked, and is posted when it is read', async () => {
  const { payment, accountId } = await statement.payment()
  const [row] = await statement.shownUnread([payment])
  const work = { $case: 'readMessageId', value: row?.messageId }
  for (let reading = 0; reading < 20; reading += 1) {
    await letPass(at.database, 7_200)
    expect((await at.ledger.claimDue({ limit: 100 })).due).toContainEqual({ work })
  }
  expect(results(await statement.shown([payment]))).toEqual(['SETTLED'])
  expect(await creditsOf([payment.receipt])).toEqual({ [payment.receipt]: [`wallet:${accountId}`] })
})

test('a row whose checkout another transaction holds is kept and left out, and the others are posted', async () => {
  const [held, free] = [await statement.payment(), await statement.payment()]
  const other = await hold(at, 'checkouts', held.checkoutId)
  const shown = await statement.shown([held.payment, free.payment])
  await other.letGo()
  expect(results(shown)).toEqual(['UNSPECIFIED', 'SETTLED'])
  const due = { ...applied, result: null, isDue: true }
  expect(await statement.inbox([held.payment, free.payment])).toEqual([due, applied])
  expect(results(await statement.shown([held.payment]))).toEqual(['SETTLED'])
})

test('rows whose transaction is cut off are stored without results or postings, and the next reading posts each once', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => statement.payment()))
  const page = all.map(({ payment }) => payment)
  const last = page.map(({ receipt }) => receipt).sort()[4]
  const pool = at.database.pool
  // The call has written all rows but the last, for which it waits until another transaction ends.
  const other = await pool.connect()
  await other.query('BEGIN')
  await other.query(
    'INSERT INTO transfers SELECT $1, leg, debit, credit, currency, minor, now(), now() FROM transfers LIMIT 1',
    [`receipt:mpesa:${String(last)}`],
  )
  const cut = statement.shown(page)
  await eventually('it waits, and is cut off', async () => {
    const { rowCount } = await pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return (rowCount ?? 0) > 0
  })
  expect(results(await cut)).toEqual(page.map(() => 'UNSPECIFIED'))
  await other.query('ROLLBACK')
  other.release()
  const receipts = page.map(({ receipt }) => receipt)
  const { rowCount: noted } = await pool.query(
    'SELECT FROM statement_rows WHERE receipt = ANY ($1)',
    [receipts],
  )
  const due = { ...applied, result: null, isDue: true }
  expect([noted, await creditsOf(receipts)]).toEqual([0, {}])
  expect(await statement.inbox(page)).toEqual(page.map(() => due))
  expect(results(await statement.shown(page))).toEqual(page.map(() => 'SETTLED'))
  expect(await statement.inbox(page)).toEqual(page.map(() => applied))
})

test('refuses too many rows, and a row that is too long', async () => {
  const refused = { reason: 'invalid_request' }
  const rows = Array.from({ length: 1_001 }, (_, n) => ({
    body: Buffer.from(String(n)),
    paid: undefined,
  }))
  await expect(at.ledger.takeStatementRows({ rows })).rejects.toMatchObject(refused)
  const long = [{ body: Buffer.alloc(8_193), paid: undefined }]
  await expect(at.ledger.takeStatementRows({ rows: long })).rejects.toMatchObject(refused)
})

test('a row that another reader has stored but not applied is stored once and applied', async () => {
  const { payment, accountId } = await statement.payment()
  const body = bodyOf(payment)
  const kept = `INSERT INTO provider_messages (
      id, rail, kind, body, digest, source_address, source_known, received_at, next_action_at
    ) VALUES ('pm_' || $1, 'paybill', 'statement_row', $2, $3, '', true, now(), now())`
  const values = [payment.receipt, body, digestStatementRow(body)]
  const [row] = await meanwhile(at, [kept, values], () => statement.shown([payment]))
  expect(row).toMatchObject({
    messageId: `pm_${payment.receipt}`,
    result: 'EVIDENCE_RESULT_SETTLED',
  })
  expect(await statement.inbox([payment])).toEqual([applied])
  expect(await creditsOf([payment.receipt])).toEqual({ [payment.receipt]: [`wallet:${accountId}`] })
})
