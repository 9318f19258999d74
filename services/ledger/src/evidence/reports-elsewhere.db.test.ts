import { ProviderMessageKind } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import { openAuditDatabase } from '../database/database'
import { brokenInvariants } from '../invariants.harness'
import { ledgerOfFile } from '../ledger.harness'
import { confirmed, type Pending, uniqueReceipt } from '../payments.harness'
import { alarmUnpostedReports } from '../reports/store/alarm-reports'
import { letPass } from '../time.harness'
import { evidence } from './evidence.harness'

// How long a report of payment stays listed when the journal has its receipt for another payment.

const at = ledgerOfFile()
const { fetched, pending } = evidence(at)

async function receiptOfAnother(): Promise<string> {
  const receipt = uniqueReceipt()
  await at.pay.paid(await pending(), { receipt })
  return receipt
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

/** The receipts in the reports of payment of an intent; '' for a report without a receipt. */
async function reportedFor(intentId: string): Promise<string[]> {
  const { rows } = await at.database.pool.query<{ receipt: string }>(
    'SELECT receipt FROM payment_reports WHERE intent_id = $1 ORDER BY receipt',
    [intentId],
  )
  return rows.map(({ receipt }) => receipt)
}

/** Runs once the job that removes settled reports and alerts about overdue ones. */
async function followUpReports(): Promise<void> {
  const db = openAuditDatabase(at.database.url)
  await alarmUnpostedReports(db)
  await db.$disconnect()
}

describe('the report of a prompt that was not paid', () => {
  /** An attempt reported as paid eleven minutes ago, and expired. `pay` pays its checkout by another attempt. */
  async function unpaid(report: (attempt: Pending) => Promise<unknown>) {
    const { checkoutId, ...attempt } = await pending()
    await report(attempt)
    await letPass(at.database, 660)
    await eventually('it expires', async () => {
      return (await at.pay.status(attempt.intentId)) === 'INTENT_STATUS_EXPIRED'
    })
    const isListed = async () => {
      const { reports } = await at.ledger.listReports({ limit: 100 })
      return reports.some(({ subject }) => subject === attempt.intentId)
    }
    const isFound = async () =>
      Object.values(await brokenInvariants(at.database))
        .flat()
        .includes(attempt.intentId)
    const pay = async () => at.pay.paid(await at.pay.pending(checkoutId))
    return { ...attempt, isListed, isFound, pay }
  }

  test('by the receipt of another payment is listed until other money pays the checkout', async () => {
    const receipt = await receiptOfAnother()
    const one = await unpaid((attempt) => at.pay.paid(attempt, { receipt }))
    expect(await one.isListed()).toBe(true)
    expect(await one.isFound()).toBe(true)
    await one.pay()
    expect(await one.isListed()).toBe(false)
    expect(await one.isFound()).toBe(false)
  })

  test('without a receipt stays listed when other money pays the checkout, until the journal has the receipt of the prompt', async () => {
    const one = await unpaid(answeredPaid)
    await one.pay()
    expect(await one.isListed()).toBe(true)
    expect(await one.isFound()).toBe(true)
    await inStatement(one)
    expect(await one.isListed()).toBe(false)
  })

  test('by a receipt that was posted for another payment before it was reported again is listed by its intent', async () => {
    const receipt = uniqueReceipt()
    const one = await unpaid(async (attempt) => {
      await at.pay.paid(attempt, { receipt, sourceKnown: false })
      await at.pay.paid(await pending(), { receipt })
      await at.pay.paid(attempt, { receipt })
    })
    expect(await reportedFor(one.intentId)).toEqual([receipt])
    expect(await one.isListed()).toBe(true)
    await one.pay()
  })

  test('by a receipt that was posted for another payment after the report is listed by its intent', async () => {
    const receipt = uniqueReceipt()
    const one = await unpaid(async (attempt) => {
      await at.pay.paid(attempt, { receipt, sourceKnown: false })
      await at.pay.paid(await pending(), { receipt })
      await followUpReports()
    })
    expect(await one.isListed()).toBe(true)
    expect(await one.isFound()).toBe(true)
    await one.pay()
    expect(await one.isListed()).toBe(false)
  })
})
