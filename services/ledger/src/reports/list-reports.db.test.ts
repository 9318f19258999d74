import { ledgerOfFile } from '../ledger.harness'
import { present, uniqueReceipt } from '../payments.harness'
import { letPass } from '../time.harness'
import { payBill, payBillNumberKey } from '../pay-bill/pay-bill.harness'
import { reports } from './report-closings.harness'

const at = ledgerOfFile({ payBillNumberKey })
const menu = payBill(at.ledger)
const the = reports(at)

beforeAll(async () => {
  await the.by.enroll()
})

const amountMinor = 50_000n

/** A checkout of KES 500.00 with its own number, and a way to report payments of it without our validation answer. */
async function numbered() {
  const { checkoutId } = await at.pay.checkout({ accountId: await at.pay.merchant() })
  const accountNumber = await menu.number(checkoutId)
  const reportPaid = async (minor = amountMinor) => {
    const receipt = uniqueReceipt()
    await menu.paid({ accountNumber, amountMinor: minor, receipt, unsigned: true })
    return `mpesa:${receipt}`
  }
  return { checkoutId, accountNumber, reportPaid }
}

describe('reports of Pay Bill payments without our validation answer', () => {
  test('are listed as unsigned, counted separately, and closed by two operators', async () => {
    const { checkoutId, reportPaid } = await numbered()
    const subject = await reportPaid()
    expect(await the.find(subject)).toBeUndefined()
    await letPass(at.database, 660)
    const before = await at.ledger.listReports({ limit: 100 })
    expect(await the.find(subject)).toMatchObject({
      ...{ signed: false, checkoutId, intentId: undefined },
      amount: { minor: amountMinor, currency: 'KES' },
    })
    await the.close(subject)
    const after = await at.ledger.listReports({ limit: 100 })
    expect(after.unsignedTotal).toBe(before.unsignedTotal - 1)
    expect(after.signedTotal).toBe(before.signedTotal)
    expect(await the.find(subject)).toBeUndefined()
  })

  test('are posted when the statement shows them, also after they were closed', async () => {
    const { checkoutId, accountNumber } = await numbered()
    const receipt = uniqueReceipt()
    const payment = { accountNumber, amountMinor, receipt, unsigned: true }
    await menu.paid(payment)
    await letPass(at.database, 660)
    await the.close(`mpesa:${receipt}`)
    const kind = 'PROVIDER_MESSAGE_KIND_STATEMENT_ROW'
    expect((await menu.paid({ ...payment, kind })).result).toBe('EVIDENCE_RESULT_SETTLED')
    expect((await at.ledger.readCheckout({ checkoutId })).checkout).toMatchObject({
      status: 'CHECKOUT_STATUS_COMPLETED',
    })
  })

  test('are not listed for a number that no checkout has', async () => {
    const receipt = uniqueReceipt()
    await menu.paid({ accountNumber: 'CS00000000', amountMinor, receipt, unsigned: true })
    await letPass(at.database, 660)
    expect(await the.find(`mpesa:${receipt}`)).toBeUndefined()
  })

  test('that are forged in a flood hide neither signed reports nor one with the amount of its checkout', async () => {
    const signed = await the.reported()
    const [one, other] = [await numbered(), await numbered()]
    for (let flood = 0; flood < 8; flood += 1) await one.reportPaid(900_000n + BigInt(flood))
    const likely = await other.reportPaid()
    await letPass(at.database, 660)
    const { reports: listed } = await at.ledger.listReports({ limit: 100 })
    const of = (checkoutId: string) => listed.filter((report) => report.checkoutId === checkoutId)
    expect(of(one.checkoutId)).toHaveLength(3)
    const subjects = listed.map(({ subject }) => subject)
    expect(subjects).toContain(signed.subject)
    const floodAt = subjects.indexOf(present(of(one.checkoutId)[0]).subject)
    expect(subjects.indexOf(likely)).toBeLessThan(floodAt)
    expect(
      (await at.ledger.listReports({ limit: 1 })).reports.filter(
        ({ signed: isSigned }) => !isSigned,
      ),
    ).toHaveLength(1)
    await the.close(signed.subject)
  })
})
