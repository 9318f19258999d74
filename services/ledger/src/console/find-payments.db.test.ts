import { ProviderMessageKind, Rail } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { countries } from '@malipo/kernel/countries'
import { cards } from '../cards/cards.harness'
import { ledgerOfFile, type TestLedger } from '../ledger.harness'
import { enrolledOperators } from '../operators/operators.harness'
import { confirmed, uniquePhone } from '../payments.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)
const uganda = ledgerOfFile({ country: countries.ug, rails: ['mtn_momo', 'airtel_money'] })

const found = async (search: string, { ledger }: Pick<TestLedger, 'ledger'> = at) =>
  (await ledger.findPayments({ search, limit: 10 })).payments.map(({ intentId }) => intentId)

test('finds a payment by the ids of its checkout and intent, its receipt, and the end of its phone', async () => {
  const { checkoutId, intentId, subject } = await by.paid()
  const receipt = subject.replace('mpesa:', '')
  for (const search of [checkoutId, intentId, receipt, receipt.toLowerCase(), subject]) {
    expect(await found(search)).toEqual([intentId])
  }
  const { payments } = await at.ledger.findPayments({ search: intentId, limit: 1 })
  expect(payments).toMatchObject([{ checkoutId, receipt, status: 'INTENT_STATUS_COMPLETED' }])
  const tail = payments[0]?.phoneTail ?? ''
  expect(tail).toMatch(/^\d{3}$/)
  expect(await found(tail)).toContain(intentId)
})

test('finds every checkout of a reference, also one that was never tried', async () => {
  const [one, other] = [
    await at.pay.checkout({ reference: 'order-7' }),
    await at.pay.checkout({ reference: 'order-7' }),
  ]
  await at.pay.pending(one.checkoutId)
  const { payments } = await at.ledger.findPayments({ search: 'order-7', limit: 10 })
  expect(payments.map(({ checkoutId }) => checkoutId).sort()).toEqual(
    [one.checkoutId, other.checkoutId].sort(),
  )
  expect(await found('order-')).toEqual([])
})

/** An attempt in Uganda by a phone, which MTN says was paid. Returns its id. */
async function paidByMtn(receipt: string, phone = uniquePhone(), amountMinor = 500_000n) {
  const { checkoutId } = await uganda.pay.checkout({ amountMinor: 500_000n })
  const { intent } = await uganda.pay.start(checkoutId, { rail: Rail.MTN_MOMO, phone })
  const { intentId } = await uganda.pay.prompted(intent)
  const kind = ProviderMessageKind.QUERY_ANSWER
  const messageId = await uganda.pay.fetched(intentId, kind, Rail.MTN_MOMO)
  await uganda.ledger.applyEvidence({ messageId, fact: confirmed({ receipt, amountMinor }) })
  return intentId
}

test('finds a payment by the receipt of MTN, which is digits as a phone is', async () => {
  const paid = await paidByMtn('1432942836')
  const byItsPhone = await paidByMtn('1555000111', '256432942836')
  const held = await paidByMtn('1432942899', uniquePhone(), 400_000n)
  expect(await found('1432942836', uganda)).toEqual([paid])
  expect(await found('mtn_momo:1432942836', uganda)).toEqual([paid])
  expect(await found('432942836', uganda)).toEqual([byItsPhone])
  expect(await found('mtn_momo:432942836', uganda)).toEqual([])
  expect(await found('airtel_money:1432942836', uganda)).toEqual([])
  expect(await found('mtn_momo:1432942899', uganda)).toEqual([held])
})

test('finds a payment by the receipt of the card gateway, which has small letters', async () => {
  const { intentId, totalMinor: amountMinor } = await cards(at).open()
  const receipt = `${intentId}-1`
  await cards(at).fetched(intentId, confirmed({ receipt, amountMinor }))
  expect(await found(receipt)).toEqual([intentId])
  expect(await found(`card:${receipt}`)).toEqual([intentId])
})

test('finds a checkout by a reference of digits, before the newer payments of phones that end so', async () => {
  const { checkoutId } = await at.pay.checkout({ reference: '100234' })
  for (const phone of ['254711100234', '254722100234']) {
    const other = await at.pay.checkout()
    await at.pay.start(other.checkoutId, { phone })
  }
  const { payments } = await at.ledger.findPayments({ search: '100234', limit: 2 })
  expect(payments).toMatchObject([{ checkoutId }, { phoneTail: '234' }])
})

test('refuses a search of fewer than three characters', async () => {
  await expect(found('12')).rejects.toMatchObject({ facts: { field: 'search' } })
})
