import {
  CheckoutStatus,
  FailureCause,
  IntentStatus,
  type PayerCheckout,
  Rail,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import { ledgerOfFile } from '../ledger.harness'
import { declined, present, uniquePhone } from '../payments.harness'
import { letPass } from '../time.harness'
import { evidence } from '../evidence/evidence.harness'

const at = ledgerOfFile()
const { pay } = at

async function read(checkoutId: string): Promise<PayerCheckout> {
  return present((await at.ledger.readCheckout({ checkoutId })).checkout)
}

test('shows the amount and the payee', async () => {
  const accountId = await pay.merchant()
  const made = await pay.checkout({
    accountId,
    reference: 'order-17',
    description: 'Two tickets',
    returnUrl: 'https://shop.example/thanks',
    phone: '254708374149',
  })
  expect(await read(made.checkoutId)).toEqual({
    checkoutId: made.checkoutId,
    status: CheckoutStatus.OPEN,
    amount: { currency: 'KES', minor: 50_000n },
    reference: 'order-17',
    description: 'Two tickets',
    returnUrl: 'https://shop.example/thanks',
    phone: '254708374149',
    expiresAt: made.expiresAt,
    accountId,
    failedAttempts: 0,
    mayHavePaid: false,
    askedMinor: 50_000n,
    foundUnpaid: false,
    deniedRail: Rail.UNSPECIFIED,
  } satisfies PayerCheckout)
})

test('shows the attempt in flight', async () => {
  const { checkoutId } = await pay.checkout()
  const phone = uniquePhone()
  const { intent } = await pay.start(checkoutId, { phone })
  const { intentId } = present(intent)
  expect(await read(checkoutId)).toMatchObject({
    intentId,
    attempt: {
      intentId,
      status: IntentStatus.RESERVED,
      rail: Rail.MPESA,
      phone,
      cause: FailureCause.UNSPECIFIED,
      startedAt: expect.any(Date) as Date,
    },
  })
})

test('shows why the last attempt failed and how many attempts failed, and names no attempt to watch', async () => {
  const { checkoutId } = await pay.checkout()
  await pay.declined(await pay.pending(checkoutId))
  const read_ = await read(checkoutId)
  expect(read_.intentId).toBeUndefined()
  expect(read_).toMatchObject({
    status: CheckoutStatus.OPEN,
    failedAttempts: 1,
    mayHavePaid: false,
    deniedRail: Rail.UNSPECIFIED,
    attempt: { status: IntentStatus.FAILED, cause: FailureCause.CANCELLED },
  })
})

test('names the rail whose status answers alone failed an attempt, until a callback confirms the failure', async () => {
  const { checkoutId } = await pay.checkout()
  const attempt = await pay.pending(checkoutId)
  const fact = declined(attempt.providerRequestId)
  for (const seconds of [75, 15]) {
    await letPass(at.database, seconds)
    await evidence(at).fetched(attempt, fact)
  }
  const failed = { status: IntentStatus.FAILED }
  expect(await read(checkoutId)).toMatchObject({ deniedRail: Rail.MPESA, attempt: failed })
  await pay.declined(await pay.pending(checkoutId))
  expect(await read(checkoutId)).toMatchObject({ deniedRail: Rail.MPESA, attempt: failed })
  // The callback of the attempt confirms the answers.
  await pay.declined(attempt)
  expect((await read(checkoutId)).deniedRail).toBe(Rail.UNSPECIFIED)
})

test('shows the attempt that completed the checkout, and when', async () => {
  const { checkoutId } = await pay.checkout()
  const attempt = await pay.pending(checkoutId)
  await pay.paid(attempt)
  expect(await read(checkoutId)).toMatchObject({
    status: CheckoutStatus.COMPLETED,
    intentId: attempt.intentId,
    completedAt: expect.any(Date) as Date,
  })
})

test('shows the attempt that paid, also when a later one failed', async () => {
  const { checkoutId } = await pay.checkout()
  const first = await pay.pending(checkoutId)
  await pay.declined(first)
  await pay.declined(await pay.pending(checkoutId))
  await pay.paid(first)
  expect(await read(checkoutId)).toMatchObject({
    intentId: first.intentId,
    attempt: { intentId: first.intentId, status: IntentStatus.COMPLETED, rail: Rail.MPESA },
  })
})

test('warns that an attempt without an answer may have paid, also after a later one failed', async () => {
  const { checkoutId } = await pay.checkout()
  const unanswered = await pay.pending(checkoutId)
  await letPass(at.database, 151)
  await eventually(
    'the first attempt expires',
    async () => (await pay.status(unanswered.intentId)) === IntentStatus.EXPIRED,
  )
  await pay.declined(await pay.pending(checkoutId))
  expect(await read(checkoutId)).toMatchObject({
    mayHavePaid: true,
    attempt: { cause: FailureCause.CANCELLED },
  })
})

test('names no attempt to watch when its money went to suspense', async () => {
  const { checkoutId } = await pay.checkout()
  const attempt = await pay.pending(checkoutId)
  const messageId = await pay.fetched(attempt.intentId, 'PROVIDER_MESSAGE_KIND_STATEMENT_ROW')
  await at.ledger.applyEvidence({
    messageId,
    fact: { $case: 'confirmed', value: { receipt: 'SHORT00001', amountMinor: 49_900n } },
  })
  const read_ = await read(checkoutId)
  expect(read_.intentId).toBeUndefined()
  expect(read_).toMatchObject({ status: CheckoutStatus.OPEN, mayHavePaid: true })
})

test('offers a card with its fee and the total, rounded up to whole shillings', async () => {
  const accountId = await pay.merchant(true)
  const { checkoutId } = await pay.checkout({ accountId, amountMinor: 50_100n })
  // 3.5 % of 501.00 are 17.535, hence 18.00.
  expect((await read(checkoutId)).card).toEqual({ feeMinor: 1_800n, totalMinor: 51_900n })
})

test.each([
  ['of an account without cards', false, 50_000n],
  ['of an amount with cents', true, 50_050n],
])('offers no card for a checkout %s', async (_, cardEnabled, amountMinor) => {
  const accountId = await pay.merchant(cardEnabled)
  const { checkoutId } = await pay.checkout({ accountId, amountMinor })
  expect((await read(checkoutId)).card).toBeUndefined()
})

test('offers no card once the checkout has expired', async () => {
  const { checkoutId } = await pay.checkout({ accountId: await pay.merchant(true) })
  await letPass(at.database, 1_800)
  expect(await read(checkoutId)).toMatchObject({ status: CheckoutStatus.EXPIRED })
  expect((await read(checkoutId)).card).toBeUndefined()
})

test('row 46: refuses a checkout whose merchant cannot be paid', async () => {
  const accountId = await pay.merchant()
  const { checkoutId } = await pay.checkout({ accountId })
  await at.database.pool.query('UPDATE wallets SET frozen_at = now() WHERE account_id = $1', [
    accountId,
  ])
  await expect(read(checkoutId)).rejects.toMatchObject({
    reason: 'checkout_not_found',
    facts: { checkoutId, payee: 'closed' },
  })
})

test('refuses an unknown checkout', async () => {
  await expect(read(`cs_ke_${'0'.repeat(24)}`)).rejects.toMatchObject({
    reason: 'checkout_not_found',
  })
})
