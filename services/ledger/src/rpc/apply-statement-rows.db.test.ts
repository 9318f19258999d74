import type { AppliedStatementRow } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { openLedger, type TestLedger } from '../ledger.harness'
import { present, uniqueReceipt } from '../payments.harness'
import { evidence } from './evidence.harness'
import { payBillNumberKey } from './pay-bill.harness'
import { paidOf, statementRows } from './statement-rows.harness'

let at: TestLedger
let statement: ReturnType<typeof statementRows>

beforeAll(async () => {
  at = await openLedger({ payBillNumberKey })
  statement = statementRows(at)
})

afterAll(() => at.close())

const amountMinor = 50_000n

const results = (rows: readonly AppliedStatementRow[]) =>
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
  await statement.menu.paid(reported.said)
  const handle = { accountId: open.accountId, handle: 'Mama-Mboga' }
  const byHandle = {
    accountNumber: 'mama-mboga',
    payee: handle,
    amountMinor,
    receipt: uniqueReceipt(),
  }
  const unknown = { accountNumber: 'rent november', amountMinor, receipt: uniqueReceipt() }
  const page = [open.said, unknown, reported.said, byHandle]
  const first = await statement.shown(page)
  expect(results(first)).toEqual(['SETTLED', 'SETTLED', 'ALREADY_SETTLED', 'SETTLED'])
  expect(first.map(({ checkoutId }) => checkoutId)).toEqual([
    open.checkoutId,
    undefined,
    undefined,
    undefined,
  ])
  // Out of order, and once more.
  expect(results(await statement.shown([...page].reverse()))).toEqual(results(first).reverse())
  expect(await creditsOf(page.map(({ receipt }) => receipt))).toEqual({
    [open.said.receipt]: [`wallet:${open.accountId}`],
    [unknown.receipt]: ['suspense:unmatched'],
    [reported.said.receipt]: [`wallet:${reported.accountId}`],
    [byHandle.receipt]: [`wallet:${open.accountId}`],
  })
})

test('two payments of one checkout in a page: the second is left out, and applied alone it is a duplicate', async () => {
  const { said, accountId } = await statement.payment()
  const second = { ...said, receipt: uniqueReceipt() }
  expect(results(await statement.shown([said, second]))).toEqual(['SETTLED', 'UNSPECIFIED'])
  expect(results(await statement.shown([said, second]))).toEqual(['SETTLED', 'SETTLED'])
  expect(await creditsOf([said.receipt, second.receipt])).toEqual({
    [said.receipt]: [`wallet:${accountId}`],
    [second.receipt]: ['suspense:duplicate'],
  })
})

test('confirmations, two readers and both ledgers at the same moment post each payment once', async () => {
  const all = await Promise.all(Array.from({ length: 40 }, () => statement.payment()))
  const another = await at.another({ payBillNumberKey })
  const page = all.map(({ said }) => said)
  const reversed = [...page].reverse()
  await Promise.all([
    statement.shown(page),
    statement.shown(reversed, another),
    ...page.map((said) => statement.menu.paid(said)),
  ])
  const rest = await statement.shown(page)
  expect(results(rest).every((result) => result.includes('SETTLED'))).toBe(true)
  expect(await creditsOf(page.map(({ receipt }) => receipt))).toEqual(
    Object.fromEntries(all.map(({ said, accountId }) => [said.receipt, [`wallet:${accountId}`]])),
  )
})

test('a row that shows another amount than before moves nothing, and a person is told', async () => {
  const { said, accountId } = await statement.payment()
  await statement.shown([said])
  const counted = () => evidence(at).counted('statement_row_contradicts')
  const before = await counted()
  expect(results(await statement.shown([{ ...said, amountMinor: 70_000n }]))).toEqual([
    'ALREADY_SETTLED',
  ])
  expect(await counted()).toBe(before + 1)
  const { rows } = await at.database.pool.query(
    `SELECT s.minor AS stated, t.minor AS posted, t.credit FROM statement_rows s
    JOIN transfers t ON t.event_key = 'receipt:mpesa:' || s.receipt WHERE s.receipt = $1`,
    [said.receipt],
  )
  expect(rows).toEqual([{ stated: '50000', posted: '50000', credit: `wallet:${accountId}` }])
})

test('one row that cannot be applied keeps none of the others from being posted alone', async () => {
  const [good, bad] = [await statement.payment(), await statement.payment()]
  const rows = await statement.stored([good.said, bad.said])
  const facts = [paidOf(good.said), { ...paidOf(bad.said), amountMinor: 0n }]
  const together = rows.map(({ messageId }, place) => ({ messageId, paid: facts[place] }))
  const answer = await at.ledger.applyStatementRows({ rows: together })
  expect(results(answer.rows)).toEqual(['UNSPECIFIED', 'UNSPECIFIED'])
  const receipts = [good.said.receipt, bad.said.receipt]
  expect(await creditsOf(receipts)).toEqual({})
  for (const [place, value] of facts.entries()) {
    const messageId = present(rows[place]).messageId
    await at.ledger
      .applyEvidence({ messageId, fact: { $case: 'payBillPaid', value } })
      .catch(() => undefined)
  }
  expect(await creditsOf(receipts)).toEqual({
    [good.said.receipt]: [`wallet:${good.accountId}`],
  })
})

test('refuses a row that says nothing', async () => {
  const rows = [{ messageId: 'pm_1', paid: undefined }]
  await expect(at.ledger.applyStatementRows({ rows })).rejects.toMatchObject({
    reason: 'invalid_request',
  })
})
