import {
  CheckoutStatus,
  FailureCause,
  IntentStatus,
  type MerchantCheckout,
  Rail,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { present, uniquePhone, uniqueReceipt } from '../payments.harness'
import { letPass } from '../time.harness'

const at = ledgerOfFile()
const { pay } = at

async function retrieve(accountId: string, checkoutId: string): Promise<MerchantCheckout> {
  return present((await at.ledger.retrieveCheckout({ accountId, checkoutId })).checkout)
}

test('returns the checkout, without a payment before the first attempt', async () => {
  const accountId = await pay.merchant()
  const made = await pay.checkout({ accountId, reference: 'order-17' })
  expect(await retrieve(accountId, made.checkoutId)).toEqual(made)
})

test('shows the attempt as soon as there is one, without money', async () => {
  const accountId = await pay.merchant()
  const { checkoutId } = await pay.checkout({ accountId })
  const phone = uniquePhone()
  const { intent } = await pay.start(checkoutId, { phone })
  expect((await retrieve(accountId, checkoutId)).payment).toEqual({
    intentId: intent?.intentId,
    status: IntentStatus.RESERVED,
    phone,
    rail: Rail.MPESA,
    cause: FailureCause.UNSPECIFIED,
  })
})

test('shows what was received and its receipt when it is completed', async () => {
  const accountId = await pay.merchant()
  const { checkoutId } = await pay.checkout({ accountId })
  const attempt = await pay.pending(checkoutId)
  const receipt = uniqueReceipt()
  await pay.paid(attempt, { receipt })
  expect(await retrieve(accountId, checkoutId)).toMatchObject({
    status: CheckoutStatus.COMPLETED,
    payment: {
      intentId: attempt.intentId,
      status: IntentStatus.COMPLETED,
      amountSettledMinor: 50_000n,
      providerReceipt: receipt,
    },
  })
})

test('shows the newest attempt until an attempt settles the checkout, and then the one that settled it', async () => {
  const accountId = await pay.merchant()
  const { checkoutId } = await pay.checkout({ accountId })
  const older = await pay.pending(checkoutId)
  await pay.declined(older)
  const newer = await pay.pending(checkoutId)
  expect((await retrieve(accountId, checkoutId)).payment?.intentId).toBe(newer.intentId)
  await pay.paid(older)
  expect(await retrieve(accountId, checkoutId)).toMatchObject({
    status: CheckoutStatus.COMPLETED,
    payment: { intentId: older.intentId, status: IntentStatus.COMPLETED },
  })
})

test('a checkout is open, then expired when its time has passed with nothing in flight', async () => {
  const accountId = await pay.merchant()
  const { checkoutId } = await pay.checkout({ accountId })
  await letPass(at.database, 1_799)
  expect((await retrieve(accountId, checkoutId)).status).toBe(CheckoutStatus.OPEN)
  await letPass(at.database, 1)
  expect((await retrieve(accountId, checkoutId)).status).toBe(CheckoutStatus.EXPIRED)
})

test('row 40: stays open past its time while an attempt is in flight, and expires with it', async () => {
  const accountId = await pay.merchant()
  const { checkoutId } = await pay.checkout({ accountId })
  await letPass(at.database, 1_795)
  const attempt = await pay.pending(checkoutId)
  await letPass(at.database, 10)
  expect((await retrieve(accountId, checkoutId)).status).toBe(CheckoutStatus.OPEN)
  await pay.declined(attempt)
  expect((await retrieve(accountId, checkoutId)).status).toBe(CheckoutStatus.EXPIRED)
})

test("refuses another account's checkout and an unknown one alike", async () => {
  const { checkoutId } = await pay.checkout()
  const other = await pay.merchant()
  const unknown = `cs_ke_${'0'.repeat(24)}`
  for (const id of [checkoutId, unknown, checkoutId.replace('cs_ke_', 'cs_ug_'), 'nonsense']) {
    await expect(retrieve(other, id)).rejects.toMatchObject({ reason: 'checkout_not_found' })
  }
})

test('returns the checkout also when the wallet of the merchant is frozen', async () => {
  const accountId = await pay.merchant()
  const { checkoutId } = await pay.checkout({ accountId })
  await at.database.pool.query('UPDATE wallets SET frozen_at = now() WHERE account_id = $1', [
    accountId,
  ])
  expect((await retrieve(accountId, checkoutId)).status).toBe(CheckoutStatus.OPEN)
})
