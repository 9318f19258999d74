import { ProviderMessageKind, Rail } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { countries } from '@malipo/kernel/countries'
import { openLedger, type TestLedger } from '../ledger.harness'
import { confirmed, present, uniqueReceipt } from '../payments.harness'
import { past } from '../time.harness'
import { operators } from '../operators/operators.harness'
import { payBill } from '../pay-bill/pay-bill.harness'

let at: TestLedger

beforeEach(async () => {
  at = await openLedger({ payBillUnconfirmedMaxMinor: 50_000n })
})

afterEach(() => at.close())

const noon = new Date('2026-11-10T12:00:00+03:00')

/** Posts money from the menu, paid at noon and reported by the statement or by a confirmation; returns its receipt. */
async function paid(kind: ProviderMessageKind, amountMinor = 50_000n): Promise<string> {
  return applyMessage(kind, { receipt: uniqueReceipt(), amountMinor, paidAt: noon })
}

async function applyMessage(
  kind: ProviderMessageKind,
  payment: { readonly receipt: string; readonly amountMinor: bigint; readonly paidAt: Date },
): Promise<string> {
  const sent = { accountNumber: 'rent', ...payment }
  await payBill(at.ledger).paid({ ...sent, kind: kind as 'PROVIDER_MESSAGE_KIND_CALLBACK' })
  return payment.receipt
}

const today = `SELECT (now() AT TIME ZONE 'Africa/Nairobi')::date::text AS day`

async function report(day = '2026-11-10', provider = 'mpesa') {
  const { reports } = await at.ledger.reconcileDay({ day })
  return present(reports.find((one) => one.provider === provider))
}

/** Records that the statement was read from the evening before the day to an instant. */
async function readTo(until: string): Promise<void> {
  await past(at.database, async (query) => {
    await query(`UPDATE deployment SET created_at = '2026-11-01'`)
  })
  const from = new Date('2026-11-09T20:00:00+03:00')
  await at.ledger.recordStatementRead({ rail: Rail.MPESA, from, until: new Date(until) })
}

test('reports until when the statement was read, and counts later receipts of the journal as unknown', async () => {
  await readTo('2026-11-10T11:00:00+03:00')
  await paid(ProviderMessageKind.CALLBACK)
  expect(await report()).toMatchObject({
    journalMinor: 50_000n,
    differenceMinor: 0n,
    differing: [],
    unknownReceipts: 1,
    unknownMinor: 50_000n,
    readUntil: new Date('2026-11-10T11:00:00+03:00'),
    isRead: false,
  })
  await readTo('2026-11-11T00:30:00+03:00')
  expect(await report()).toMatchObject({
    differenceMinor: 50_000n,
    unknownMinor: 0n,
    readUntil: new Date('2026-11-11T00:00:00+03:00'),
    isRead: true,
  })
})

test('counts the statement as read only up to the first gap between readings', async () => {
  await readTo('2026-11-10T01:00:00+03:00')
  const [from, until] = [
    new Date('2026-11-10T02:00:00+03:00'),
    new Date('2026-11-11T02:00:00+03:00'),
  ]
  await at.ledger.recordStatementRead({ rail: Rail.MPESA, from, until })
  await paid(ProviderMessageKind.STATEMENT_ROW)
  expect(await report()).toMatchObject({
    readUntil: new Date('2026-11-10T01:00:00+03:00'),
    isRead: false,
    unknownMinor: 0n,
  })
  expect(await report('2026-11-08')).toMatchObject({
    readUntil: new Date('2026-11-08T00:00:00+03:00'),
    isRead: false,
  })
})

test('a day on which statement and journal have the same receipts has no difference, and its report is stored', async () => {
  await paid(ProviderMessageKind.STATEMENT_ROW)
  await paid(ProviderMessageKind.STATEMENT_ROW, 70_000n)
  expect(await report()).toMatchObject({
    day: '2026-11-10',
    providerReceipts: 2,
    providerMinor: 120_000n,
    journalReceipts: 2,
    journalMinor: 120_000n,
    floatMinor: 120_000n,
    differenceMinor: 0n,
    differing: [],
  })
  expect(await report('2026-11-09')).toMatchObject({ journalReceipts: 0, floatMinor: 0n })
  const { rows } = await at.database.pool.query(
    'SELECT day::text FROM recon_reports ORDER BY day DESC',
  )
  expect(rows[0]).toEqual({ day: '2026-11-10' })
})

test('a payment that the statement does not show is listed as a difference', async () => {
  await readTo('2026-11-11T00:30:00+03:00')
  const receipt = await paid(ProviderMessageKind.CALLBACK)
  await paid(ProviderMessageKind.STATEMENT_ROW)
  expect(await report()).toMatchObject({
    providerReceipts: 1,
    journalReceipts: 2,
    differenceMinor: 50_000n,
    differing: [receipt],
  })
})

test('a payment that is missing in the journal, or has another amount there, is listed as a difference', async () => {
  const other = await paid(ProviderMessageKind.STATEMENT_ROW)
  const lost = uniqueReceipt()
  await past(at.database, async (query) => {
    await query(`UPDATE statement_rows SET minor = minor - 1 WHERE receipt = $1`, [other])
    await query(
      `INSERT INTO statement_rows (provider, receipt, minor, paid_at, seen_at) VALUES ('mpesa', $1, 900, $2, now())`,
      [lost, noon],
    )
  })
  expect(await report()).toMatchObject({
    differenceMinor: 901n,
    differing: [lost, other].sort(),
  })
})

test('a payment around midnight, which statement and journal date on different days, is no difference', async () => {
  const payment = { receipt: uniqueReceipt(), amountMinor: 50_000n }
  const before = new Date('2026-11-10T23:59:59+03:00')
  const after = new Date('2026-11-11T00:00:01+03:00')
  await applyMessage(ProviderMessageKind.CALLBACK, { ...payment, paidAt: before })
  await applyMessage(ProviderMessageKind.STATEMENT_ROW, { ...payment, paidAt: after })
  expect(await report('2026-11-10')).toMatchObject({ journalReceipts: 0, differenceMinor: 0n })
  expect(await report('2026-11-11')).toMatchObject({
    providerReceipts: 1,
    journalReceipts: 1,
    differenceMinor: 0n,
  })
})

test('a refund reduces the float and is no difference', async () => {
  const by = operators(at)
  await by.enroll()
  const subject = `mpesa:${await paid(ProviderMessageKind.STATEMENT_ROW)}`
  await by.agreed(await by.requestedRefund(subject, 'REFUND_SENDER_PROVIDER'))
  const { rows } = await at.database.pool.query<{ day: string }>(today)
  expect(await report()).toMatchObject({ floatMinor: 50_000n, differenceMinor: 0n })
  expect((await report(present(rows[0]).day)).refundedMinor).toBe(50_000n)
})

/** Dates all postings back by an hour, so that no report can have missed one that was being committed. */
async function letPostingsRest(): Promise<void> {
  await past(at.database, async (query) => {
    await query(`UPDATE transfers SET created_at = created_at - interval '1 hour'`)
  })
}

/** Changes the float in a stored report: the float of a later report shows whether it was computed from this one. */
async function mark(day: string, minor: bigint): Promise<void> {
  await past(at.database, async (query) => {
    await query('UPDATE recon_reports SET float_minor = float_minor + $2 WHERE day = $1', [
      day,
      minor,
    ])
  })
}

const paidOn = (day: string, amountMinor: bigint) =>
  applyMessage(ProviderMessageKind.STATEMENT_ROW, {
    receipt: uniqueReceipt(),
    amountMinor,
    paidAt: new Date(`${day}T12:00:00+03:00`),
  })

test('the float of a day is that of the newest earlier report and what moved since, also when days were skipped and when it is made again', async () => {
  await paidOn('2026-11-10', 50_000n)
  await letPostingsRest()
  expect(await report('2026-11-10')).toMatchObject({ floatMinor: 50_000n })
  await mark('2026-11-10', 1n)
  await paidOn('2026-11-12', 70_000n)
  await letPostingsRest()
  expect(await report('2026-11-13')).toMatchObject({ floatMinor: 120_001n, refundedMinor: 0n })
  expect(await report('2026-11-13')).toMatchObject({ floatMinor: 120_001n })
  expect(await report('2026-11-11')).toMatchObject({ floatMinor: 50_001n })
  expect(await report('2026-11-10')).toMatchObject({ floatMinor: 50_000n })
})

test('money that is posted after the report of its day is in the float of the days after, and of the day when its report is made again', async () => {
  await paidOn('2026-11-10', 50_000n)
  await letPostingsRest()
  await report('2026-11-10')
  await mark('2026-11-10', 1n)
  await paidOn('2026-11-09', 70_000n)
  await paidOn('2026-11-10', 3_000n)
  expect(await report('2026-11-11')).toMatchObject({ floatMinor: 123_001n })
  expect(await report('2026-11-10')).toMatchObject({ floatMinor: 123_000n })
})

test('a float goes on from no report beside which money was posted, but from the report before', async () => {
  await paidOn('2026-11-09', 50_000n)
  await letPostingsRest()
  await report('2026-11-09')
  await mark('2026-11-09', 1n)
  await paidOn('2026-11-10', 70_000n)
  await report('2026-11-10')
  await mark('2026-11-10', 10n)
  expect(await report('2026-11-11')).toMatchObject({ floatMinor: 120_001n })
})

test('in Uganda the journal is compared with the answers to our status queries', async () => {
  const { ledger } = await at.another()
  await ledger.stop()
  const uganda = await openLedger({ country: countries.ug, rails: ['mtn_momo'] })
  const checkout = await uganda.pay.checkout({ amountMinor: 500_000n })
  const { intent } = await uganda.ledger.startIntent({
    checkoutId: checkout.checkoutId,
    idempotencyKey: 'key',
    fingerprint: Buffer.alloc(32, 7),
    rail: Rail.MTN_MOMO,
    phone: '256772123456',
  })
  const { intentId } = present(intent)
  await uganda.ledger.beginSubmit({ intentId })
  const outcome = { $case: 'accepted', value: { providerRequestId: 'x' } } as const
  await uganda.ledger.recordSubmit({ intentId, outcome })
  const { messageId } = await uganda.ledger.storeProviderMessage({
    rail: Rail.MTN_MOMO,
    kind: ProviderMessageKind.QUERY_ANSWER,
    subject: { $case: 'intentId', value: intentId },
    body: Buffer.from('{}'),
    sourceAddress: '',
    sourceKnown: true,
  })
  const fact = confirmed({ receipt: '23503452', amountMinor: 500_000n })
  await uganda.ledger.applyEvidence({ messageId, fact })
  const { rows } = await uganda.database.pool.query<{ day: string }>(today)
  const { reports } = await uganda.ledger.reconcileDay({ day: present(rows[0]).day })
  expect(reports).toContainEqual(
    expect.objectContaining({ provider: 'mtn_momo', providerReceipts: 1, differenceMinor: 0n }),
  )
  await uganda.close()
})

test.each(['yesterday', '2026-13-01', '2026-11-31', '2026-11-20; DROP'])(
  'refuses the day %s',
  async (day) => {
    await expect(at.ledger.reconcileDay({ day })).rejects.toMatchObject({
      reason: 'invalid_request',
    })
  },
)
