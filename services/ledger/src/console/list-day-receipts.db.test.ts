import { ledgerOfFile } from '../ledger.harness'
import { enrolledOperators } from '../operators/operators.harness'
import { past } from '../time.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Nairobi' }).format()

test('lists the receipts of a day, those that one side alone has first', async () => {
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
    { receipt: posted, providerMinor: undefined, journalMinor: 50_000n, checkoutId },
    { receipt: stated, providerMinor: 700n, journalMinor: undefined, checkoutId: undefined },
  ])
  const rest = await at.ledger.listDayReceipts({ ...day, afterReceipt: posted })
  expect(rest.receipts.map(({ receipt }) => receipt)).toEqual([stated])
  // Removes the row that the test made up, so that every invariant holds.
  await past(at.database, async (query) => {
    await query('DELETE FROM statement_rows WHERE receipt = $1', [stated])
  })
})

test.each([
  [{ day: '2026-13-01', provider: 'mpesa' }, 'day'],
  [{ day: '2026-02-30', provider: 'mpesa' }, 'day'],
  [{ day: '2026-11-20', provider: 'other' }, 'provider'],
])('refuses %j', async (request, field) => {
  await expect(at.ledger.listDayReceipts(request)).rejects.toMatchObject({ facts: { field } })
})
