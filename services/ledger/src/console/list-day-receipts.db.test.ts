import { ProviderMessageKind, Rail } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { countries } from '@malipo/kernel/countries'
import { ledgerOfFile } from '../ledger.harness'
import { enrolledOperators } from '../operators/operators.harness'
import { confirmed, present, uniqueReceipt } from '../payments.harness'
import { payBill } from '../pay-bill/pay-bill.harness'
import { past } from '../time.harness'

const at = ledgerOfFile({ payBillUnconfirmedMaxMinor: 50_000n })
const by = enrolledOperators(at)
const uganda = ledgerOfFile({ country: countries.ug, rails: ['mtn_momo', 'airtel_money'] })

const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Nairobi' }).format()

test('lists the receipts of a day, those that differ first', async () => {
  const { subject, checkoutId } = await by.paid()
  const posted = subject.replace('mpesa:', '')
  const stated = `Z${posted}`
  await at.database.pool.query(
    `INSERT INTO statement_rows (provider, receipt, minor, paid_at, seen_at) VALUES ('mpesa', $1, 700, now(), now())`,
    [stated],
  )
  const day = { day: today(), provider: 'mpesa' }
  const { receipts, hasMore } = await at.ledger.listDayReceipts(day)
  expect(hasMore).toBe(false)
  expect(receipts).toMatchObject([
    { receipt: stated, providerMinor: 700n, journalMinor: undefined, checkoutId: undefined },
    { receipt: posted, providerMinor: undefined, journalMinor: 50_000n, checkoutId },
  ])
  const rest = await at.ledger.listDayReceipts({ ...day, afterReceipt: stated })
  expect(rest.receipts.map(({ receipt }) => receipt)).toEqual([posted])
  // Removes the row that the test made up, so that every invariant holds.
  await past(at.database, async (query) => {
    await query('DELETE FROM statement_rows WHERE receipt = $1', [stated])
  })
})

/** Money from the menu at a time, as a confirmation reports it, and, where `isStated`, as the statement shows it. */
async function paidAt(time: string, isStated = false, receipt = uniqueReceipt()): Promise<string> {
  const kind = isStated ? 'PROVIDER_MESSAGE_KIND_STATEMENT_ROW' : 'PROVIDER_MESSAGE_KIND_CALLBACK'
  const payment = { accountNumber: 'rent', receipt, amountMinor: 50_000n, paidAt: new Date(time) }
  await payBill(at.ledger).paid({ ...payment, kind })
  return receipt
}

/** The standing of each receipt in the list of a day of M-PESA. Expects that the day's report agrees with the list. */
async function standings(day: string): Promise<Record<string, string>> {
  const { receipts } = await at.ledger.listDayReceipts({ day, provider: 'mpesa' })
  const { reports } = await at.ledger.reconcileDay({ day })
  const report = present(reports.find(({ provider }) => provider === 'mpesa'))
  const those = (standing: string) => receipts.filter((one) => one.standing === standing)
  const differing = those('differs').map(({ receipt }) => receipt)
  expect(differing.sort()).toEqual(report.differing)
  expect(those('unknown')).toHaveLength(report.unknownReceipts)
  return Object.fromEntries(receipts.map(({ receipt, standing }) => [receipt, standing]))
}

test('lists a payment around midnight on the day of the statement, as even', async () => {
  const receipt = await paidAt('2026-11-10T23:59:59+03:00')
  await paidAt('2026-11-11T00:00:01+03:00', true, receipt)
  expect(await standings('2026-11-10')).toEqual({})
  expect(await standings('2026-11-11')).toEqual({ [receipt]: 'even' })
})

test('lists money that was posted after the statement was last read as unknown, until it is read on', async () => {
  await past(at.database, async (query) => {
    await query(`UPDATE deployment SET created_at = '2026-11-01'`)
  })
  const from = new Date('2026-11-13T20:00:00+03:00')
  const readTo = async (until: string) =>
    at.ledger.recordStatementRead({ rail: Rail.MPESA, from, until: new Date(until) })
  await readTo('2026-11-14T11:00:00+03:00')
  const stated = await paidAt('2026-11-14T10:00:00+03:00', true)
  const unstated = await paidAt('2026-11-14T10:00:00+03:00')
  const later = await paidAt('2026-11-14T12:00:00+03:00')
  expect(await standings('2026-11-14')).toEqual({
    ...{ [stated]: 'even', [unstated]: 'differs', [later]: 'unknown' },
  })
  await readTo('2026-11-15T00:30:00+03:00')
  expect(await standings('2026-11-14')).toMatchObject({ [later]: 'differs' })
})

test('lists a receipt as even if its provider has no statement but answered that it was paid', async () => {
  const { checkoutId } = await uganda.pay.checkout({ amountMinor: 500_000n })
  const { intent } = await uganda.pay.start(checkoutId, { rail: Rail.MTN_MOMO })
  const { intentId } = await uganda.pay.prompted(intent)
  const kind = ProviderMessageKind.QUERY_ANSWER
  const messageId = await uganda.pay.fetched(intentId, kind, Rail.MTN_MOMO)
  const fact = confirmed({ receipt: '23503452', amountMinor: 500_000n })
  await uganda.ledger.applyEvidence({ messageId, fact })
  const day = { day: today(), provider: 'mtn_momo' }
  const amounts = { providerMinor: 500_000n, journalMinor: 500_000n }
  expect((await uganda.ledger.listDayReceipts(day)).receipts).toMatchObject([
    { receipt: '23503452', ...amounts, standing: 'even', intentId },
  ])
})

test.each([
  [{ day: '2026-13-01', provider: 'mpesa' }, 'day'],
  [{ day: '2026-02-30', provider: 'mpesa' }, 'day'],
  [{ day: '2026-11-20', provider: 'other' }, 'provider'],
  [{ day: '2026-11-20', provider: 'mpesa', afterReceipt: 'QK\0' }, 'after_receipt'],
])('refuses %j', async (request, field) => {
  await expect(at.ledger.listDayReceipts(request)).rejects.toMatchObject({ facts: { field } })
})
