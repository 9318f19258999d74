import { CheckoutStatus, EvidenceResult } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { type Pending, present, uniqueReceipt } from '../payments.harness'
import { letPass, past } from '../time.harness'
import { payBill, payBillNumberKey } from './pay-bill.harness'

const at = ledgerOfFile({ payBillNumberKey })
const { database, ledger, pay } = at
const menu = payBill(ledger)

/** A checkout of KES 500.00 with its account number, and a way to read it. */
async function order() {
  const accountId = await pay.merchant()
  const { checkoutId } = await pay.checkout({ accountId })
  const read = async () => {
    const { checkout } = await ledger.retrieveCheckout({ accountId, checkoutId })
    return present(checkout)
  }
  return { accountId, checkoutId, accountNumber: await menu.number(checkoutId), read }
}

const amountMinor = 50_000n

/** The accounts to which the money of a receipt was credited. */
async function creditOf(receipt: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ credit: string }>(
    'SELECT credit FROM transfers WHERE event_key = $1',
    [`receipt:mpesa:${receipt}`],
  )
  return rows.map(({ credit }) => credit)
}

async function attemptReference({ intentId }: Pending): Promise<string> {
  const { rows } = await database.pool.query<{ reference: string }>(
    'SELECT attempt_reference AS reference FROM intents WHERE id = $1',
    [intentId],
  )
  return present(rows[0]).reference
}

test('row 48: the exact amount completes an open checkout', async () => {
  const { accountId, accountNumber, read } = await order()
  const receipt = uniqueReceipt()
  const answer = await menu.paid({ accountNumber, amountMinor, receipt })
  expect(answer.result).toBe(EvidenceResult.SETTLED)
  expect(await read()).toMatchObject({
    status: CheckoutStatus.COMPLETED,
    payment: {
      status: 'INTENT_STATUS_COMPLETED',
      amountSettledMinor: amountMinor,
      providerReceipt: receipt,
      phone: '2547 ***** 149',
    },
  })
  expect(await creditOf(receipt)).toEqual([`wallet:${accountId}`])
})

test('a Pay Bill payment gets an intent that is completed from the start, on the rail `paybill`', async () => {
  const { accountNumber, checkoutId } = await order()
  await menu.paid({ accountNumber, amountMinor })
  const { checkout } = await ledger.readCheckout({ checkoutId })
  const { intentId, payBillAccountNumber } = present(checkout)
  expect(payBillAccountNumber).toBeUndefined()
  const { intent } = await ledger.readIntent({ intentId: present(intentId) })
  expect(intent).toMatchObject({
    rail: 'RAIL_PAYBILL',
    status: 'INTENT_STATUS_COMPLETED',
    amountSettledMinor: amountMinor,
  })
})

test('row 49: the exact amount completes a checkout that has expired', async () => {
  const { accountNumber, read } = await order()
  await letPass(database, 1_801)
  expect((await read()).status).toBe(CheckoutStatus.EXPIRED)
  await menu.paid({ accountNumber, amountMinor })
  expect((await read()).status).toBe(CheckoutStatus.COMPLETED)
})

test('row 50: the exact amount for a completed checkout is held as a duplicate', async () => {
  const { accountNumber, read } = await order()
  const [first, second] = [uniqueReceipt(), uniqueReceipt()]
  await menu.paid({ accountNumber, amountMinor, receipt: first })
  await menu.paid({ accountNumber, amountMinor, receipt: second })
  expect(await creditOf(second)).toEqual(['suspense:duplicate'])
  expect((await read()).payment?.providerReceipt).toBe(first)
})

test('row 51: a Pay Bill payment completes the checkout, and its prompt, when paid as well, is held as a duplicate', async () => {
  const { checkoutId, accountId, accountNumber, read } = await order()
  const attempt = await pay.pending(checkoutId)
  const [typed, prompted] = [uniqueReceipt(), uniqueReceipt()]
  await menu.paid({ accountNumber, amountMinor, receipt: typed })
  expect((await read()).status).toBe(CheckoutStatus.COMPLETED)
  expect(await pay.status(attempt.intentId)).toBe('INTENT_STATUS_PENDING')
  await pay.paid(attempt, { receipt: prompted })
  expect(await creditOf(typed)).toEqual([`wallet:${accountId}`])
  expect(await creditOf(prompted)).toEqual(['suspense:duplicate'])
})

test.each([
  ['less', [49_999n]],
  ['more', [50_001n]],
  ['row 53: two halves', [25_000n, 25_000n]],
])('row 52: %s than the amount is held and completes nothing', async (_, amounts) => {
  const { accountNumber, read } = await order()
  for (const part of amounts) {
    const receipt = uniqueReceipt()
    await menu.paid({ accountNumber, amountMinor: part, receipt })
    expect(await creditOf(receipt)).toEqual(['suspense:mismatch'])
  }
  expect((await read()).status).toBe(CheckoutStatus.OPEN)
})

test('row 54: money for an unknown account is held in suspense, without an intent', async () => {
  const receipt = uniqueReceipt()
  const answer = await menu.paid({ accountNumber: 'rent november', amountMinor, receipt })
  expect(answer).toEqual({ result: 'EVIDENCE_RESULT_SETTLED', status: 'INTENT_STATUS_UNSPECIFIED' })
  expect(await creditOf(receipt)).toEqual(['suspense:unmatched'])
  const { rows } = await database.pool.query(
    'SELECT reason, intent_id, minor FROM suspense_items WHERE event_key = $1',
    [`receipt:mpesa:${receipt}`],
  )
  expect(rows).toEqual([{ reason: 'unmatched', intent_id: null, minor: '50000' }])
})

test('row 55: money for an account number with one wrong digit is held in suspense', async () => {
  const { accountNumber } = await order()
  const receipt = uniqueReceipt()
  const slip = accountNumber.replace(/\d$/, (digit) => (digit === '0' ? '1' : '0'))
  await menu.paid({ accountNumber: slip, amountMinor, receipt })
  expect(await creditOf(receipt)).toEqual(['suspense:unmatched'])
})

test('row 56: the number is found in small letters, with spaces and dashes', async () => {
  const { accountNumber, read } = await order()
  const typed = ` ${accountNumber.toLowerCase().replace(/^(cs)(.{4})/, '$1 $2-')} `
  await menu.paid({ accountNumber: typed, amountMinor })
  expect((await read()).status).toBe(CheckoutStatus.COMPLETED)
})

test('row 60: a confirmation that is repeated a week later posts nothing', async () => {
  const { accountNumber } = await order()
  const payment = { accountNumber, amountMinor, receipt: uniqueReceipt() }
  await menu.paid(payment)
  await letPass(database, 7 * 86_400)
  const same = await menu.paid(payment)
  const reworded = await menu.paid({ ...payment, phone: '254708374149', sourceKnown: true })
  const listed = await menu.paid({ ...payment, kind: 'PROVIDER_MESSAGE_KIND_STATEMENT_ROW' })
  expect([same, reworded, listed].map(({ result }) => result)).toEqual([
    'EVIDENCE_RESULT_SETTLED',
    'EVIDENCE_RESULT_ALREADY_SETTLED',
    'EVIDENCE_RESULT_ALREADY_SETTLED',
  ])
  expect(await creditOf(payment.receipt)).toHaveLength(1)
})

test('row 3: a hundred deliveries at the same time, half of them from unknown addresses, post the money once', async () => {
  const { accountNumber, accountId } = await order()
  const payment = { accountNumber, amountMinor, receipt: uniqueReceipt() }
  await Promise.all(
    Array.from({ length: 100 }, (_, n) => menu.paid({ ...payment, sourceKnown: n % 2 === 0 })),
  )
  expect(await creditOf(payment.receipt)).toEqual([`wallet:${accountId}`])
})

test('row 29: a prompt that is reported as a Pay Bill payment settles its attempt, once', async () => {
  const { checkoutId, accountId, read } = await order()
  const attempt = await pay.pending(checkoutId)
  const receipt = uniqueReceipt()
  const accountNumber = await attemptReference(attempt)
  expect((await menu.paid({ accountNumber, amountMinor, receipt })).result).toBe(
    EvidenceResult.SETTLED,
  )
  expect((await pay.paid(attempt, { receipt })).result).toBe(EvidenceResult.ALREADY_SETTLED)
  expect(await creditOf(receipt)).toEqual([`wallet:${accountId}`])
  expect((await read()).payment).toMatchObject({
    intentId: attempt.intentId,
    providerReceipt: receipt,
  })
})

test('row 29: a Pay Bill report of a prompt that its callback has settled changes nothing', async () => {
  const { checkoutId, accountId } = await order()
  const attempt = await pay.pending(checkoutId)
  const receipt = uniqueReceipt()
  await pay.paid(attempt, { receipt })
  const accountNumber = await attemptReference(attempt)
  const echo = await menu.paid({ accountNumber, amountMinor, receipt })
  expect(echo.result).toBe(EvidenceResult.ALREADY_SETTLED)
  expect(await creditOf(receipt)).toEqual([`wallet:${accountId}`])
})

test('row 6: a Pay Bill report completes a prompt whose submit answer and callback were both lost', async () => {
  const { checkoutId, read } = await order()
  const { intent } = await pay.start(checkoutId)
  const { intentId } = present(intent)
  await ledger.beginSubmit({ intentId })
  const accountNumber = await attemptReference({ intentId } as Pending)
  await menu.paid({ accountNumber, amountMinor })
  expect(await read()).toMatchObject({ status: CheckoutStatus.COMPLETED, payment: { intentId } })
})

test('a Pay Bill payment with the reference of a prompt that was never sent completes the checkout, not the prompt', async () => {
  const { checkoutId, read } = await order()
  const { intent } = await pay.start(checkoutId)
  const { intentId } = present(intent)
  const accountNumber = await attemptReference({ intentId } as Pending)
  await menu.paid({ accountNumber, amountMinor })
  expect((await read()).status).toBe(CheckoutStatus.COMPLETED)
  expect(await pay.status(intentId)).toBe('INTENT_STATUS_RESERVED')
})

test('row 47: money for a frozen wallet is held in suspense', async () => {
  const { accountNumber, accountId } = await order()
  await database.pool.query('UPDATE wallets SET frozen_at = now() WHERE account_id = $1', [
    accountId,
  ])
  const receipt = uniqueReceipt()
  await menu.paid({ accountNumber, amountMinor, receipt })
  expect(await creditOf(receipt)).toEqual(['suspense:unmatched'])
})

test('row 61: a confirmation from an unknown address posts nothing until the statement shows the payment', async () => {
  const { accountNumber, read } = await order()
  const payment = { accountNumber, amountMinor, receipt: uniqueReceipt() }
  const forged = await menu.paid({ ...payment, sourceKnown: false })
  expect(forged.result).toBe(EvidenceResult.KEPT)
  expect((await read()).status).toBe(CheckoutStatus.OPEN)
  await menu.paid({ ...payment, kind: 'PROVIDER_MESSAGE_KIND_STATEMENT_ROW' })
  expect((await read()).status).toBe(CheckoutStatus.COMPLETED)
})

test('row 61: a confirmation that returns a wrong validation answer posts nothing', async () => {
  const { accountNumber, read } = await order()
  const { result } = await menu.paid({
    accountNumber,
    amountMinor,
    thirdPartyId: '0123456789abcdef',
  })
  expect(result).toBe(EvidenceResult.KEPT)
  expect((await read()).status).toBe(CheckoutStatus.OPEN)
})

test('row 64: the merchant sees the phone as the provider reports it: hashed, masked, in full or absent', async () => {
  const hash = 'a'.repeat(64)
  for (const phone of [hash, '2547 ***** 149', '254708374149', undefined]) {
    const { accountNumber, read } = await order()
    await menu.paid({ accountNumber, amountMinor, phone })
    expect((await read()).payment?.phone).toBe(phone)
  }
})

test('row 59: a confirmation that cannot be read is parked', async () => {
  const messageId = await menu.store('{"TransAmount":"5,00"}')
  const fact = { $case: 'unreadable', value: { detail: 'paid, without an amount' } } as const
  const { result } = await ledger.applyEvidence({ messageId, fact })
  expect(result).toBe(EvidenceResult.PARKED)
})

test('row 65: a Pay Bill number is reused for another checkout only after a year', async () => {
  const { checkoutId: first, accountNumber } = await order()
  const { checkoutId: next } = await order()
  const take = () =>
    database.pool.query(
      `INSERT INTO pay_bill_numbers AS held VALUES ($1, $2, now()) ON CONFLICT (number)
       DO UPDATE SET checkout_id = excluded.checkout_id, given_at = excluded.given_at`,
      [accountNumber, next],
    )
  await past(database, async (query) => {
    await query('DELETE FROM pay_bill_numbers WHERE checkout_id = $1', [next])
  })
  await expect(take()).rejects.toThrow('a payer may still have it')
  await past(database, async (query) => {
    await query("UPDATE pay_bill_numbers SET given_at = given_at - interval '366 days'")
  })
  await take()
  expect(await menu.number(next)).toBe(accountNumber)
  const { checkout } = await ledger.readCheckout({ checkoutId: first })
  expect(checkout?.payBillAccountNumber).toBeUndefined()
})
