import { FailureCause, IntentStatus } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import { ledgerOfFile } from '../ledger.harness'
import { confirmed, insist, present, uniqueReceipt } from '../payments.harness'
import { expireOverdue } from './store/expire-overdue'
import { letPass } from '../time.harness'

const at = ledgerOfFile()
const { pay } = at

async function whenExpired(intentId: string): Promise<void> {
  await eventually(
    'the intent expires',
    async () => (await pay.status(intentId)) === IntentStatus.EXPIRED,
  )
}

const causeOf = async (checkoutId: string) =>
  (await at.ledger.readCheckout({ checkoutId })).checkout?.attempt?.cause

test('row 45: expires an intent that was not sent within a minute, with the cause that no prompt was started', async () => {
  const { checkoutId } = await pay.checkout()
  const { intentId } = present((await pay.start(checkoutId)).intent)
  await letPass(at.database, 60)
  await whenExpired(intentId)
  expect(await causeOf(checkoutId)).toBe(FailureCause.NOT_STARTED)
})

test('expires an intent 150 seconds after its prompt as unconfirmed, because money may still come', async () => {
  const { checkoutId } = await pay.checkout()
  const { intentId } = await pay.pending(checkoutId)
  await letPass(at.database, 151)
  await whenExpired(intentId)
  expect(await causeOf(checkoutId)).toBe(FailureCause.UNCONFIRMED)
})

test('expires an intent whose prompt the provider never answered', async () => {
  const { checkoutId } = await pay.checkout()
  const { intentId } = present((await pay.start(checkoutId)).intent)
  await at.ledger.beginSubmit({ intentId })
  await letPass(at.database, 151)
  await whenExpired(intentId)
})

test('a checkout whose intent expired accepts a new start', async () => {
  const { checkoutId } = await pay.checkout()
  const { intentId } = await pay.pending(checkoutId)
  await letPass(at.database, 151)
  await whenExpired(intentId)
  expect((await pay.start(checkoutId)).outcome).toBe('START_OUTCOME_STARTED')
})

test('row 13: money that comes after the deadline completes the expired intent', async () => {
  const { checkoutId } = await pay.checkout()
  const attempt = await pay.pending(checkoutId)
  await letPass(at.database, 151)
  await whenExpired(attempt.intentId)
  expect(await pay.paid(attempt)).toMatchObject({ status: IntentStatus.COMPLETED })
})

test('row 14: late money completes the checkout also when the checkout has expired', async () => {
  const { checkoutId } = await pay.checkout()
  await letPass(at.database, 1_790)
  const attempt = await pay.pending(checkoutId)
  await letPass(at.database, 160)
  await whenExpired(attempt.intentId)
  await pay.paid(attempt)
  const { checkout } = await at.ledger.readCheckout({ checkoutId })
  expect(checkout?.status).toBe('CHECKOUT_STATUS_COMPLETED')
})

test('leaves an intent pending whose deadline has not passed', async () => {
  const { checkoutId } = await pay.checkout()
  const overdue = await pay.pending((await pay.checkout()).checkoutId)
  await letPass(at.database, 100)
  const { intentId } = await pay.pending(checkoutId)
  await letPass(at.database, 51)
  await whenExpired(overdue.intentId)
  expect(await pay.status(intentId)).toBe(IntentStatus.PENDING)
})

test('money that arrives at the moment of the deadline is posted once and completes the intent, in either order', async () => {
  for (let round = 0; round < 20; round += 1) {
    const attempt = await pay.pending((await pay.checkout()).checkoutId)
    const messageId = await pay.callback(attempt.callbackToken)
    const receipt = uniqueReceipt()
    await letPass(at.database, 149.95 + round * 0.005)
    const [applied] = await Promise.all([
      at.ledger.applyEvidence({ messageId, fact: confirmed({ ...attempt, receipt }) }),
      expireOverdue(at.database.pool, { limit: 1_000, queryEverySeconds: 15 }),
    ])
    expect(applied).toMatchObject({ result: 'EVIDENCE_RESULT_SETTLED' })
    expect(await pay.status(attempt.intentId)).toBe(IntentStatus.COMPLETED)
  }
})

test('row 85: two ledgers expire a backlog of 200 intents within seconds', async () => {
  await at.another()
  const accountId = await pay.merchant()
  const made = await Promise.all(
    Array.from({ length: 200 }, () => insist(() => pay.checkout({ accountId }))),
  )
  await Promise.all(made.map(({ checkoutId }) => insist(() => pay.start(checkoutId))))
  await letPass(at.database, 61)
  await eventually('all have expired', async () => {
    const { rows } = await at.database.pool.query<{ left: string }>(
      'SELECT count(*) AS left FROM intents WHERE ended_at IS NULL',
    )
    return rows[0]?.left === '0'
  })
})
