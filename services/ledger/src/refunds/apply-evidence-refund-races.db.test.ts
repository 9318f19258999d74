import { FailureCause } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { transferSql } from '@malipo/testing/transfer-sql'
import { ledgerOfFile } from '../ledger.harness'
import { hold } from '../locks.harness'
import { confirmed, insist, uniqueReceipt } from '../payments.harness'
import { slowDown } from '../time.harness'
import { enrolledOperators, note } from '../operators/operators.harness'

const at = ledgerOfFile()
const by = enrolledOperators(at)

beforeAll(async () => {
  await slowDown(at.database, 'transfers')
})

const yes = (amountMinor = 50_000n) =>
  confirmed({ providerRequestId: 'AG_1', receipt: 'REVERSAL01', amountMinor })
const no = {
  $case: 'declined',
  value: { cause: FailureCause.REFUSED, providerCode: '2001', providerRequestId: 'AG_1' },
} as const

async function legs(subject: string): Promise<number> {
  const found = await at.database.pool.query('SELECT 1 FROM transfers WHERE event_key = $1', [
    `refunded:${subject}`,
  ])
  return found.rowCount ?? 0
}

const applyMessage = (token: string, fact: Parameters<typeof by.messageArrives>[1], body: string) =>
  insist(() => by.messageArrives(token, fact, { body: Buffer.from(body) }))

test('40 messages about one refund at the same moment, at two ledgers, post it once', async () => {
  const other = await at.another()
  const { subject, accountId } = await by.paid()
  const { callbackToken } = await by.sent(subject)
  const messageIds = await Promise.all(
    Array.from({ length: 40 }, (_, copy) =>
      at.pay.callback(callbackToken, { body: Buffer.from(String(copy)) }),
    ),
  )
  const answers = await Promise.all(
    messageIds.map((messageId, place) =>
      insist(() => (place % 2 === 0 ? at : other).ledger.applyEvidence({ messageId, fact: yes() })),
    ),
  )
  const results = answers.map(({ result }) => result)
  expect(results.filter((result) => result === 'EVIDENCE_RESULT_SETTLED')).toHaveLength(1)
  expect(results.filter((result) => result === 'EVIDENCE_RESULT_KEPT')).toHaveLength(39)
  expect(await legs(subject)).toBe(1)
  expect(await by.balance(`wallet:${accountId}`)).toBe('0')
})

test('when "refunded" and "refused" arrive at the same moment the refund is posted once, whichever is first', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { subject } = await by.mismatch()
    const { callbackToken } = await by.sent(subject)
    await Promise.all([
      applyMessage(callbackToken, no, 'no'),
      applyMessage(callbackToken, yes(40_000n), 'yes'),
    ])
    expect((await by.story(subject)).refunds[0]?.status).toBe('paid')
    expect(await legs(subject)).toBe(1)
  }
})

test('a refund and a second receipt of the same intent, applied at the same moment, are both posted', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { subject, ...attempt } = await by.paid()
    const { callbackToken } = await by.sent(subject)
    const receipt = uniqueReceipt()
    await Promise.all([
      applyMessage(callbackToken, yes(), 'yes'),
      insist(() => at.pay.paid(attempt, { receipt })),
    ])
    expect(await at.pay.status(attempt.intentId)).toBe('INTENT_STATUS_REVERSED')
    expect(await by.holder(subject)).toBeUndefined()
    // The checkout counts as paid also after its money was refunded.
    expect(await by.holder(`mpesa:${receipt}`)).toBe('suspense:duplicate')
  }
})

test('refunds of one wallet at the same moment take no more than its balance', async () => {
  const accountId = await at.pay.merchant()
  const refunds = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const { checkoutId } = await at.pay.checkout({ accountId })
      const receipt = uniqueReceipt()
      await at.pay.paid(await at.pay.pending(checkoutId), { receipt })
      return by.sent(`mpesa:${receipt}`)
    }),
  )
  await at.database.pool.query(
    transferSql(`spent:${accountId}`, `wallet:${accountId}`, 'suspense:unmatched', 200000),
  )
  await Promise.all(refunds.map(({ callbackToken }) => applyMessage(callbackToken, yes(), 'yes')))
  expect(await by.balance(`wallet:${accountId}`)).toBe('0')
  expect(await by.balance(`receivable:${accountId}`)).toBe('-200000')
  await at.database.pool.query(
    transferSql(`unspent:${accountId}`, 'suspense:unmatched', `wallet:${accountId}`, 200000),
  )
})

test('held money that is placed with a checkout while it is refunded is taken from the wallet of that checkout', async () => {
  const { subject, intentId } = await by.mismatch(60_000n)
  const { callbackToken } = await by.sent(subject)
  await applyMessage(callbackToken, no, 'no')
  const accountId = await at.pay.merchant()
  const { checkoutId } = await at.pay.checkout({ accountId, amountMinor: 60_000n })
  const owner = { $case: 'checkoutId', value: checkoutId } as const
  const { placementId = '' } = await by.amina.askPlacement({ subject, owner, note })
  const held = await hold(at, 'intents', intentId)
  const placing = by.brian.decidePlacement({ placementId, agreed: true, note })
  await held.untilWaiting(1)
  const answer = applyMessage(callbackToken, yes(60_000n), 'yes')
  // The placement waits for the intent, and the refund for the receipt.
  await held.untilWaiting(2)
  await held.letGo()
  const placed = await placing
  expect((await answer).result).toBe('EVIDENCE_RESULT_SETTLED')
  expect(await by.holder(subject)).toBeUndefined()
  expect(await by.balance(`wallet:${accountId}`)).toBe('0')
  expect(await at.pay.status(placed.intentId ?? '')).toBe('INTENT_STATUS_REVERSED')
  expect(await at.pay.status(intentId)).toBe('INTENT_STATUS_COMPLETED')
})
