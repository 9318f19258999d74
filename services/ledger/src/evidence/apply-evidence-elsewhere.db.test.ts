import { ProviderMessageKind } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { systemClock } from '@malipo/runtime/clock'
import { settledInvariants } from '../invariants.harness'
import { ledgerOfFile } from '../ledger.harness'
import { meanwhile } from '../locks.harness'
import { amina, enrolledOperators, note } from '../operators/operators.harness'
import { confirmed, declined, type Pending, present, uniqueReceipt } from '../payments.harness'
import { letPass } from '../time.harness'
import { evidence } from './evidence.harness'

// Evidence names, for an intent, a receipt that the journal already has: for another payment, or for no payment.

const large = 100_000n
const at = ledgerOfFile({ callbackUnconfirmedMaxMinor: 50_000n })
const by = enrolledOperators(at)
const { fetched, pending } = evidence(at)

const receiptOf = (subject: string) => subject.slice('mpesa:'.length)

async function largePending() {
  const accountId = await at.pay.merchant()
  const { checkoutId } = await at.pay.checkout({ accountId, amountMinor: large })
  return { ...(await at.pay.pending(checkoutId)), checkoutId, accountId }
}

/** Pays the prompt by a row of the statement with a new receipt, so that no report is left open. */
const inStatement = (attempt: Pending) =>
  fetched(
    attempt,
    confirmed({ receipt: uniqueReceipt(), amountMinor: attempt.amountMinor }),
    ProviderMessageKind.STATEMENT_ROW,
  )

/** Applies the query answer of M-Pesa for a paid prompt: "paid", without a receipt. */
const answeredPaid = (attempt: Pending) =>
  fetched(attempt, confirmed({ providerRequestId: attempt.providerRequestId }))

interface Shown {
  readonly receipt?: string
  readonly amountMinor?: bigint
  readonly accountNumber?: string
  readonly payeeUnknown?: boolean
  readonly paidAt?: Date
}

/** Posts menu money that nothing asked for, to a till if no account number is given; returns `mpesa:RECEIPT`. */
async function unmatched(shown: Shown = {}): Promise<string> {
  const { receipt = uniqueReceipt(), amountMinor = 50_000n, accountNumber = '' } = shown
  const { messageId } = await at.ledger.storeProviderMessage({
    ...{ rail: 'RAIL_PAYBILL', kind: ProviderMessageKind.STATEMENT_ROW, subject: undefined },
    ...{ body: Buffer.from(receipt), sourceAddress: '', sourceKnown: true },
  })
  const { payeeUnknown = false, paidAt } = shown
  const value = { receipt, amountMinor, accountNumber, payeeUnknown, paidAt }
  await at.ledger.applyEvidence({ messageId, fact: { $case: 'payBillPaid', value } })
  return `mpesa:${receipt}`
}

async function transfersOf(subject: string): Promise<string[]> {
  const { transfers } = await by.story(subject)
  return transfers.map(({ eventKey, debit, credit, minor }) =>
    [eventKey.split(':')[0], debit, credit, String(minor)].join(' '),
  )
}

const openSuspense = async () => {
  const { items } = await at.ledger.listSuspense({ limit: 100 })
  return items.map(({ subject }) => subject)
}

/** The receipts in the reports of payment of an intent; '' for a report without a receipt. */
async function reportedFor(intentId: string): Promise<string[]> {
  const { rows } = await at.database.pool.query<{ receipt: string }>(
    'SELECT receipt FROM payment_reports WHERE intent_id = $1 ORDER BY receipt',
    [intentId],
  )
  return rows.map(({ receipt }) => receipt)
}

test('row 100: a callback that names a receipt that lies unmatched in suspense completes its intent from there, once', async () => {
  const attempt = await pending()
  const subject = await unmatched()
  const receipt = receiptOf(subject)
  const settled = await at.pay.paid(attempt, { receipt })
  expect(settled).toMatchObject({ result: 'EVIDENCE_RESULT_SETTLED' })
  const { checkout } = await at.ledger.readCheckout({ checkoutId: attempt.checkoutId })
  expect(present(checkout)).toMatchObject({
    ...{ status: 'CHECKOUT_STATUS_COMPLETED', intentId: attempt.intentId },
  })
  const moved = [
    'receipt float:mpesa suspense:unmatched 50000',
    `placed suspense:unmatched wallet:${attempt.accountId} 50000`,
  ]
  expect(await transfersOf(subject)).toEqual(moved)
  expect(await openSuspense()).not.toContain(subject)
  const again = await fetched(attempt, confirmed({ ...attempt, receipt }))
  expect(again.result).toBe('EVIDENCE_RESULT_ALREADY_SETTLED')
  expect(await transfersOf(subject)).toEqual(moved)
  expect(await settledInvariants(at.database)).toEqual({})
})

test('of ten messages at one moment that name a receipt in suspense, one settles', async () => {
  const attempt = await pending()
  const subject = await unmatched()
  const fact = confirmed({ ...attempt, receipt: receiptOf(subject) })
  const answers = await Promise.all(Array.from({ length: 10 }, () => fetched(attempt, fact)))
  expect(answers.filter(({ result }) => result === 'EVIDENCE_RESULT_SETTLED')).toHaveLength(1)
  expect(await by.holder(subject)).toBe(`wallet:${attempt.accountId}`)
})

test('a large callback about a receipt in suspense waits for the query that answers "paid"', async () => {
  const attempt = await largePending()
  const subject = await unmatched({ amountMinor: large })
  const kept = await at.pay.paid(attempt, { receipt: receiptOf(subject) })
  expect(kept.result).toBe('EVIDENCE_RESULT_KEPT')
  expect((await at.ledger.beginQuery({ intentId: attempt.intentId })).query).toBeDefined()
  expect((await answeredPaid(attempt)).result).toBe('EVIDENCE_RESULT_SETTLED')
  expect(await by.holder(subject)).toBe(`wallet:${attempt.accountId}`)
})

test('a report stays listed while its receipt lies in suspense, and a later "paid" completes the intent', async () => {
  const attempt = await largePending()
  const receipt = uniqueReceipt()
  await at.pay.paid(attempt, { receipt })
  const subject = await unmatched({ receipt, amountMinor: large })
  expect(await by.holder(subject)).toBe('suspense:unmatched')
  await letPass(at.database, 601)
  const listed = async () =>
    (await at.ledger.listReports({ limit: 100 })).reports.map((report) => report.subject)
  expect(await listed()).toEqual([subject])
  expect((await answeredPaid(attempt)).result).toBe('EVIDENCE_RESULT_SETTLED')
  expect(await by.holder(subject)).toBe(`wallet:${attempt.accountId}`)
  expect(await listed()).toEqual([])
})

/** Unmatched money that an operator has asked to place with another merchant. */
async function requestedPlacement() {
  const subject = await unmatched()
  const accountId = await at.pay.merchant()
  await by.amina.askPlacement({ subject, owner: { $case: 'accountId', value: accountId }, note })
  return subject
}

const minutesAgo = (minutes: number) => new Date(systemClock.now() - minutes * 60_000)

describe('an intent is kept open and reported, and nothing is posted for it', () => {
  test.each<[string, () => Promise<string>]>([
    ['has another amount', () => unmatched({ amountMinor: 49_900n })],
    ['is that of another intent', async () => (await by.paid()).subject],
    [
      'lies in suspense for another checkout',
      async () => (await by.mismatch(50_000n - 1n)).subject,
    ],
    [
      'is being refunded',
      async () => {
        const subject = await unmatched()
        await by.requestedRefund(subject)
        return subject
      },
    ],
    ['is of money older than the prompt', () => unmatched({ paidAt: minutesAgo(3) })],
    ['was paid under another account number', () => unmatched({ accountNumber: 'rent' })],
    ['is to be placed by an operator', requestedPlacement],
  ])('where the receipt %s', async (_, arrange) => {
    const attempt = await pending()
    const subject = await arrange()
    const before = await transfersOf(subject)
    const answer = await at.pay.paid(attempt, { receipt: receiptOf(subject) })
    expect(answer.result).toBe('EVIDENCE_RESULT_CONTRADICTION')
    expect(await reportedFor(attempt.intentId)).toEqual([receiptOf(subject)])
    const denied = await fetched(attempt, declined(attempt.providerRequestId))
    expect(denied.result).toBe('EVIDENCE_RESULT_CONTRADICTION')
    await letPass(at.database, 200)
    expect(await at.pay.status(attempt.intentId)).toBe('INTENT_STATUS_PENDING')
    expect(await transfersOf(subject)).toEqual(before)
    await inStatement(attempt)
    expect(await at.pay.status(attempt.intentId)).toBe('INTENT_STATUS_COMPLETED')
  })
})

test('the statement gives money of another account number to the prompt that its row is about', async () => {
  const attempt = await pending()
  const subject = await unmatched({ accountNumber: 'rent' })
  const fact = confirmed({ receipt: receiptOf(subject), amountMinor: attempt.amountMinor })
  const { result } = await fetched(attempt, fact, ProviderMessageKind.STATEMENT_ROW)
  expect(result).toBe('EVIDENCE_RESULT_SETTLED')
  expect(await by.holder(subject)).toBe(`wallet:${attempt.accountId}`)
})

test('the statement does not give money whose handle was not looked up to a prompt', async () => {
  const attempt = await pending()
  const subject = await unmatched({ accountNumber: 'Mama-Mboga', payeeUnknown: true })
  const fact = confirmed({ receipt: receiptOf(subject), amountMinor: attempt.amountMinor })
  const { result } = await fetched(attempt, fact, ProviderMessageKind.STATEMENT_ROW)
  expect(result).toBe('EVIDENCE_RESULT_CONTRADICTION')
  expect(await by.holder(subject)).toBe('suspense:unmatched')
  await inStatement(attempt)
})

test('a "paid" answer does not settle the prompt by money that callbacks name and that is older than the prompt', async () => {
  const attempt = await largePending()
  const receipt = uniqueReceipt()
  await at.pay.paid(attempt, { receipt })
  const subject = await unmatched({ receipt, amountMinor: large, paidAt: minutesAgo(3) })
  expect((await answeredPaid(attempt)).result).toBe('EVIDENCE_RESULT_KEPT')
  expect(await by.holder(subject)).toBe('suspense:unmatched')
  await inStatement(attempt)
})

test('a statement row with the receipt of another payment is counted as a contradiction once, however often it is read', async () => {
  const attempt = await pending()
  const receipt = receiptOf((await by.paid()).subject)
  const fact = confirmed({ receipt, amountMinor: attempt.amountMinor })
  const before = await evidence(at).counted('contradiction')
  const row = async () => (await fetched(attempt, fact, ProviderMessageKind.STATEMENT_ROW)).result
  expect(await row()).toBe('EVIDENCE_RESULT_CONTRADICTION')
  expect([await row(), await row()]).toEqual(Array(2).fill('EVIDENCE_RESULT_KEPT'))
  expect((await at.pay.paid(attempt, { receipt })).result).toBe('EVIDENCE_RESULT_KEPT')
  expect(await evidence(at).counted('contradiction')).toBe(before + 1)
  await inStatement(attempt)
})

test('a refund that is asked for at the same moment keeps the money of the receipt in suspense', async () => {
  const attempt = await pending()
  const subject = await unmatched()
  const sql = `
    WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtextextended('receipt:' || $1, 0)))
    INSERT INTO refunds (id, provider, receipt, minor, sent_by, status, asked_by, asked_at, callback_secret)
    SELECT 'rf_' || repeat('d', 24), 'mpesa', substr($1, 7), 50000, 'us', 'asked', $2, now(), 'x' FROM locked`
  const { result } = await meanwhile(at, [sql, [subject, amina.operatorId]], () =>
    at.pay.paid(attempt, { receipt: receiptOf(subject) }),
  )
  expect(result).toBe('EVIDENCE_RESULT_CONTRADICTION')
  expect(await by.holder(subject)).toBe('suspense:unmatched')
})

test('a receipt that has paid another attempt of the same checkout is answered "already settled"', async () => {
  const accountId = await at.pay.merchant()
  const { checkoutId } = await at.pay.checkout({ accountId })
  const first = await at.pay.pending(checkoutId)
  await at.pay.declined(first)
  const second = await at.pay.pending(checkoutId)
  const receipt = uniqueReceipt()
  await at.pay.paid(second, { receipt })
  const answer = await at.pay.paid(first, { receipt })
  expect(answer.result).toBe('EVIDENCE_RESULT_ALREADY_SETTLED')
  expect(await reportedFor(first.intentId)).toEqual([])
})

test('an unmatched receipt that is named for an attempt whose checkout is paid is answered "already settled"', async () => {
  const accountId = await at.pay.merchant()
  const { checkoutId } = await at.pay.checkout({ accountId })
  const first = await at.pay.pending(checkoutId)
  await at.pay.declined(first)
  await at.pay.paid(await at.pay.pending(checkoutId))
  const subject = await unmatched()
  const receipt = receiptOf(subject)
  await at.pay.paid(first, { receipt, sourceKnown: false })
  const answer = await at.pay.paid(first, { receipt })
  expect(answer.result).toBe('EVIDENCE_RESULT_ALREADY_SETTLED')
  expect(await reportedFor(first.intentId)).toEqual([])
  expect(await openSuspense()).toContain(subject)
})
