import {
  CheckoutStatus,
  IntentStatus,
  PlaceOutcome,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { openLedger, type TestLedger } from '../ledger.harness'
import { present } from '../payments.harness'
import { past } from '../time.harness'
import { evidence } from './evidence.harness'
import { amina, operators } from './operators.harness'

let at: TestLedger
let by: ReturnType<typeof operators>

beforeAll(async () => {
  at = await openLedger()
  by = operators(at)
})

afterAll(() => at.close())

const toCheckout = (subject: string, checkoutId: string) =>
  at.ledger.placeSuspense({ subject, owner: { $case: 'checkoutId', value: checkoutId }, ...amina })
const toWallet = (subject: string, accountId: string) =>
  at.ledger.placeSuspense({ subject, owner: { $case: 'accountId', value: accountId }, ...amina })

test('row 54: an operator gives unmatched money to its checkout, which completes with the payer’s receipt', async () => {
  const subject = await by.unmatched()
  const accountId = await at.pay.merchant()
  const { checkoutId } = await at.pay.checkout({ accountId })
  const { outcome, intentId } = await toCheckout(subject, checkoutId)
  expect(outcome).toBe(PlaceOutcome.PLACED)
  const { checkout } = await at.ledger.retrieveCheckout({ accountId, checkoutId })
  expect(checkout?.status).toBe(CheckoutStatus.COMPLETED)
  expect(checkout?.payment).toMatchObject({
    intentId,
    status: IntentStatus.COMPLETED,
    amountSettledMinor: 50_000n,
    providerReceipt: subject.slice('mpesa:'.length),
  })
  expect(await by.holder(subject)).toBe(`wallet:${accountId}`)
  expect(await by.balance('float:mpesa')).toBe('-50000')
  expect((await by.story(subject)).actions).toMatchObject([
    { did: 'placed', operator: 'amina', note: 'the payer called' },
  ])
})

test('a receipt is placed once, also by two operators at the same moment', async () => {
  const subject = await by.unmatched()
  const accounts = await Promise.all([at.pay.merchant(), at.pay.merchant()])
  const outcomes = await Promise.all(accounts.map((accountId) => toWallet(subject, accountId)))
  expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual([
    PlaceOutcome.NOT_IN_SUSPENSE,
    PlaceOutcome.PLACED,
  ])
})

test('row 52: money of another amount goes to no checkout but one of exactly that amount', async () => {
  const { subject, checkoutId } = await by.mismatch(40_000n)
  expect((await toCheckout(subject, checkoutId)).outcome).toBe(PlaceOutcome.AMOUNT_DIFFERS)
  const other = await at.pay.checkout({ amountMinor: 40_000n })
  expect((await toCheckout(subject, other.checkoutId)).outcome).toBe(PlaceOutcome.PLACED)
  expect(await evidence(at).checkoutStatus(checkoutId)).toBe(CheckoutStatus.OPEN)
  expect(await evidence(at).checkoutStatus(other.checkoutId)).toBe(CheckoutStatus.COMPLETED)
})

test('a wallet takes any amount, and its owner sees the payment', async () => {
  const subject = await by.unmatched(99n)
  const accountId = await at.pay.merchant()
  expect((await toWallet(subject, accountId)).outcome).toBe(PlaceOutcome.PLACED)
  const { wallet } = await at.ledger.readWallet({ accountId })
  expect(present(wallet).balance?.minor).toBe(99n)
  const { entries } = await at.ledger.listWalletEntries({ accountId, limit: 10 })
  expect(entries).toMatchObject([{ minor: 99n, receipt: subject.slice('mpesa:'.length) }])
})

test('refuses money that is not in suspense, a checkout that is paid, and one that there is not', async () => {
  const paid = await by.paid()
  const subject = await by.unmatched()
  const other = await at.pay.checkout()
  expect((await toCheckout(paid.subject, other.checkoutId)).outcome).toBe(
    PlaceOutcome.NOT_IN_SUSPENSE,
  )
  expect((await toCheckout('mpesa:NEVER00001', other.checkoutId)).outcome).toBe(
    PlaceOutcome.NOT_IN_SUSPENSE,
  )
  expect((await toCheckout(subject, paid.checkoutId)).outcome).toBe(PlaceOutcome.CHECKOUT_PAID)
  expect((await toCheckout(subject, 'cs_ke_gone')).outcome).toBe(PlaceOutcome.CHECKOUT_NOT_FOUND)
  expect((await toWallet(subject, 'acc_gone')).outcome).toBe(PlaceOutcome.WALLET_NOT_OPEN)
  expect(await by.holder(subject)).toBe('suspense:unmatched')
})

test('refuses a frozen wallet, and money that is on its way back', async () => {
  const subject = await by.unmatched()
  const accountId = await at.pay.merchant()
  await past(at.database, async (query) => {
    await query('UPDATE wallets SET frozen_at = now() WHERE account_id = $1', [accountId])
  })
  expect((await toWallet(subject, accountId)).outcome).toBe(PlaceOutcome.WALLET_NOT_OPEN)
  await by.asked(subject)
  expect((await toWallet(subject, await at.pay.merchant())).outcome).toBe(
    PlaceOutcome.REFUND_UNDERWAY,
  )
})

test.each([
  ['nobody', { operator: ' ' }, 'operator'],
  ['somebody who does not say why', { note: '' }, 'note'],
  ['something that is no receipt', { subject: "mpesa:' OR 1" }, 'subject'],
])('refuses %s', async (_, changes, field) => {
  const owner = { $case: 'accountId', value: 'acc_1' } as const
  await expect(
    at.ledger.placeSuspense({ subject: 'mpesa:QK12345678', owner, ...amina, ...changes }),
  ).rejects.toMatchObject({ reason: 'invalid_request', facts: { field } })
})
