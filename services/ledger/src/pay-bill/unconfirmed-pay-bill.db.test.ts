import { CheckoutStatus, EvidenceResult } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { present, uniqueReceipt } from '../payments.harness'
import { letPass } from '../time.harness'
import { payBill, payBillNumberKey } from './pay-bill.harness'

const amountMinor = 50_000n

const at = ledgerOfFile({ payBillNumberKey })
const menu = payBill(at.ledger)

/** A checkout of KES 500.00, and a confirmation of it without our validation answer. */
async function order() {
  const accountId = await at.pay.merchant()
  const { checkoutId } = await at.pay.checkout({ accountId })
  const accountNumber = await menu.number(checkoutId)
  const receipt = uniqueReceipt()
  return {
    accountId,
    receipt,
    payment: { accountNumber, amountMinor, receipt, unsigned: true },
    seen: async () => present((await at.ledger.readCheckout({ checkoutId })).checkout),
    read: async () =>
      present((await at.ledger.retrieveCheckout({ accountId, checkoutId })).checkout),
  }
}

async function creditsOf(receipt: string): Promise<string[]> {
  const { rows } = await at.database.pool.query<{ credit: string }>(
    'SELECT credit FROM transfers WHERE event_key = $1',
    [`receipt:mpesa:${receipt}`],
  )
  return rows.map(({ credit }) => credit)
}

const statement = { kind: 'PROVIDER_MESSAGE_KIND_STATEMENT_ROW' } as const

test('a confirmation without our validation answer posts nothing, and the payer page shows the reported payment', async () => {
  const { payment, receipt, seen, read } = await order()
  expect((await menu.paid(payment)).result).toBe(EvidenceResult.KEPT)
  expect(await creditsOf(receipt)).toEqual([])
  expect(await read()).toMatchObject({ status: CheckoutStatus.OPEN, payment: undefined })
  expect((await seen()).payBillReportedAt).toBeInstanceOf(Date)
})

test('a confirmation without our validation answer completes the checkout, once, when the statement confirms it', async () => {
  const { payment, receipt, seen, read, accountId } = await order()
  await menu.paid(payment)
  expect((await menu.paid({ ...payment, ...statement })).result).toBe(EvidenceResult.SETTLED)
  await menu.paid({ ...payment, unsigned: false })
  expect(await creditsOf(receipt)).toEqual([`wallet:${accountId}`])
  expect(await read()).toMatchObject({
    status: CheckoutStatus.COMPLETED,
    payment: { providerReceipt: receipt },
  })
  expect((await seen()).payBillReportedAt).toBeUndefined()
})

test('a confirmation that brings our validation answer back completes at once', async () => {
  const { payment, read } = await order()
  expect((await menu.paid({ ...payment, unsigned: false })).result).toBe(EvidenceResult.SETTLED)
  expect((await read()).status).toBe(CheckoutStatus.COMPLETED)
})

test('a forged confirmation only holds the checkout open for ten minutes, and then leaves a warning', async () => {
  const { payment, receipt, seen, read } = await order()
  await letPass(at.database, 1_700)
  await menu.paid(payment)
  await letPass(at.database, 200)
  expect(await read()).toMatchObject({ status: CheckoutStatus.OPEN })
  // A second report does not keep the checkout open for longer.
  await menu.paid({ ...payment, receipt: uniqueReceipt() })
  await letPass(at.database, 500)
  expect(await read()).toMatchObject({ status: CheckoutStatus.EXPIRED })
  expect(await seen()).toMatchObject({ mayHavePaid: true })
  expect((await seen()).payBillReportedAt).toBeUndefined()
  await letPass(at.database, 200_000)
  expect(await creditsOf(receipt)).toEqual([])
})

test('a confirmation from an unlisted address keeps a checkout open only with our validation answer', async () => {
  const { payment, seen } = await order()
  expect((await menu.paid({ ...payment, sourceKnown: false })).result).toBe(EvidenceResult.KEPT)
  expect((await seen()).payBillReportedAt).toBeUndefined()
  await menu.paid({ ...payment, sourceKnown: false, unsigned: false })
  expect((await seen()).payBillReportedAt).toBeInstanceOf(Date)
})

test('a confirmation up to the unconfirmed limit is credited at once, and none above it', async () => {
  const { ledger } = await at.another({ payBillNumberKey, payBillUnconfirmedMaxMinor: amountMinor })
  const [small, large] = [await order(), await order()]
  const lenient = payBill(ledger)
  expect((await lenient.paid(small.payment)).result).toBe(EvidenceResult.SETTLED)
  const more = { ...large.payment, amountMinor: amountMinor + 1n }
  expect((await lenient.paid(more)).result).toBe(EvidenceResult.KEPT)
})

test('a small confirmation that contradicts an earlier one of its receipt credits nothing until the statement decides', async () => {
  const settings = { payBillNumberKey, payBillUnconfirmedMaxMinor: amountMinor - 1n }
  const lenient = payBill((await at.another(settings)).ledger)
  const { accountId, receipt, payment, seen, read } = await order()
  await lenient.paid(payment)
  const thief = { accountId: await at.pay.merchant(), handle: 'thief' }
  for (const change of [{}, { accountNumber: 'thief', payee: thief }]) {
    const forged = await lenient.paid({ ...payment, amountMinor: 100n, ...change })
    expect(forged.result).toBe(EvidenceResult.KEPT)
  }
  expect(await creditsOf(receipt)).toEqual([])
  expect((await seen()).payBillReportedAt).toBeInstanceOf(Date)
  await lenient.paid({ ...payment, ...statement })
  expect(await creditsOf(receipt)).toEqual([`wallet:${accountId}`])
  expect((await read()).status).toBe(CheckoutStatus.COMPLETED)
})

test('a handle is credited when the statement confirms the payment', async () => {
  const accountId = await at.pay.merchant()
  const receipt = uniqueReceipt()
  const payment = {
    accountNumber: 'mama-mboga',
    payee: { accountId, handle: 'Mama-Mboga' },
    amountMinor,
    receipt,
    unsigned: true,
  }
  await menu.paid(payment)
  expect(await creditsOf(receipt)).toEqual([])
  await menu.paid({ ...payment, ...statement })
  expect(await creditsOf(receipt)).toEqual([`wallet:${accountId}`])
})
