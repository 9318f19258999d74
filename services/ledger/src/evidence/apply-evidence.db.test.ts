import {
  CheckoutStatus,
  EvidenceResult,
  FailureCause,
  IntentStatus,
  ProviderMessageKind,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { confirmed, declined, present, uniqueReceipt } from '../payments.harness'
import { evidence } from './evidence.harness'

const at = ledgerOfFile()
const { pay } = at
const received = evidence(at)

describe('a callback in which everything agrees (E3)', () => {
  test('posts the money to the merchant and completes the checkout', async () => {
    const attempt = await received.pending()
    expect(await pay.paid(attempt)).toEqual({
      result: EvidenceResult.SETTLED,
      status: IntentStatus.COMPLETED,
    })
    expect(await received.checkoutStatus(attempt.checkoutId)).toBe(CheckoutStatus.COMPLETED)
    expect(await received.transfers(`wallet:${attempt.accountId}`)).toEqual([
      { debit: 'float:mpesa', credit: `wallet:${attempt.accountId}`, minor: '50000' },
    ])
  })

  test('row 5: completes the checkout also when the answer to our submit call was lost', async () => {
    const { checkoutId } = await pay.checkout()
    const { intentId } = present((await pay.start(checkoutId)).intent)
    const { prompt } = await at.ledger.beginSubmit({ intentId })
    const { callbackToken } = present(prompt)
    const attempt = { intentId, callbackToken, providerRequestId: 'ws', amountMinor: 50_000n }
    expect(await pay.paid(attempt)).toMatchObject({ status: IntentStatus.COMPLETED })
  })

  test('row 60: returns its first result when it is applied again, and posts nothing', async () => {
    const attempt = await received.pending()
    const messageId = await pay.callback(attempt.callbackToken)
    const fact = confirmed({ ...attempt, receipt: uniqueReceipt() })
    const first = await at.ledger.applyEvidence({ messageId, fact })
    expect(await at.ledger.applyEvidence({ messageId, fact })).toEqual(first)
    expect(await received.transfers(`wallet:${attempt.accountId}`)).toHaveLength(1)
  })

  test('returns "already settled" for another message about the same receipt', async () => {
    const attempt = await received.pending()
    const receipt = uniqueReceipt()
    await pay.paid(attempt, { receipt })
    expect(
      await received.fetched(
        attempt,
        confirmed({ receipt, amountMinor: 50_000n }),
        ProviderMessageKind.STATEMENT_ROW,
      ),
    ).toEqual({ result: EvidenceResult.ALREADY_SETTLED, status: IntentStatus.COMPLETED })
    expect(await received.transfers(`wallet:${attempt.accountId}`)).toHaveLength(1)
  })

  test('fails the attempt with the cause when it reports "declined"', async () => {
    const attempt = await received.pending()
    expect(await pay.declined(attempt)).toEqual({
      result: EvidenceResult.FAILED,
      status: IntentStatus.FAILED,
    })
    const { checkout } = await at.ledger.readCheckout({ checkoutId: attempt.checkoutId })
    expect(checkout?.attempt?.cause).toBe(FailureCause.CANCELLED)
  })

  test('row 11: "declined" after "paid" leaves the attempt completed and counts a contradiction', async () => {
    const attempt = await received.pending()
    await pay.paid(attempt)
    const before = await received.counted('contradiction')
    expect(await pay.declined(attempt)).toEqual({
      result: EvidenceResult.CONTRADICTION,
      status: IntentStatus.COMPLETED,
    })
    expect(await received.counted('contradiction')).toBe(before + 1)
  })

  test('row 12: "paid" after "declined" completes the attempt and counts a late success', async () => {
    const attempt = await received.pending()
    await pay.declined(attempt)
    const before = await received.counted('late_success')
    expect(await pay.paid(attempt)).toEqual({
      result: EvidenceResult.SETTLED,
      status: IntentStatus.COMPLETED,
    })
    expect(await received.checkoutStatus(attempt.checkoutId)).toBe(CheckoutStatus.COMPLETED)
    expect(await received.counted('late_success')).toBe(before + 1)
  })

  test('a second "declined" leaves the attempt failed', async () => {
    const attempt = await received.pending()
    await pay.declined(attempt)
    const messageId = await pay.fetched(attempt.intentId, ProviderMessageKind.STATEMENT_ROW)
    const again = await at.ledger.applyEvidence({ messageId, fact: declined(undefined, '1037') })
    expect(again.status).toBe(IntentStatus.FAILED)
  })
})

describe('a callback in which something does not agree', () => {
  test.each([
    ['row 8: about another prompt than ours', { providerRequestId: 'ws_CO_other' }],
    ['row 10: from an unknown address', { sourceKnown: false }],
    ['row 16: of another amount', { amountMinor: 49_900n }],
  ])('%s has no effect until a query confirms it (E2)', async (_, changes) => {
    const attempt = await received.pending()
    const before = await received.counted('callback_mismatch')
    expect(await pay.paid(attempt, changes)).toEqual({
      result: EvidenceResult.KEPT,
      status: IntentStatus.PENDING,
    })
    expect(await received.transfers(`wallet:${attempt.accountId}`)).toEqual([])
    expect(await received.counted('callback_mismatch')).toBe(before + 1)
    expect((await at.ledger.beginQuery({ intentId: attempt.intentId })).query).toBeDefined()
  })

  test('with two things wrong does not make a status query due (E1)', async () => {
    const attempt = await received.pending()
    await pay.paid(attempt, { sourceKnown: false, amountMinor: 49_900n })
    expect(await at.ledger.beginQuery({ intentId: attempt.intentId })).toEqual({})
    expect(await pay.status(attempt.intentId)).toBe(IntentStatus.PENDING)
  })

  test('from an unknown address cannot fail an attempt', async () => {
    const attempt = await received.pending()
    expect(await pay.declined(attempt, { sourceKnown: false })).toEqual({
      result: EvidenceResult.KEPT,
      status: IntentStatus.PENDING,
    })
  })

  test('row 24: that cannot be read is parked for an operator and changes nothing', async () => {
    const attempt = await received.pending()
    const messageId = await pay.callback(attempt.callbackToken)
    const fact = { $case: 'unreadable', value: { detail: 'not JSON' } } as const
    expect(await at.ledger.applyEvidence({ messageId, fact })).toEqual({
      result: EvidenceResult.PARKED,
      status: IntentStatus.PENDING,
    })
  })
})

test('a statement row about an attempt that was never sent is a contradiction and posts nothing to it', async () => {
  const { checkoutId } = await pay.checkout()
  const { intentId } = present((await pay.start(checkoutId)).intent)
  const row = confirmed({ receipt: uniqueReceipt(), amountMinor: 50_000n })
  const attempt = { intentId, callbackToken: '', providerRequestId: '', amountMinor: 50_000n }
  expect(await received.fetched(attempt, row, ProviderMessageKind.STATEMENT_ROW)).toEqual({
    result: EvidenceResult.CONTRADICTION,
    status: IntentStatus.RESERVED,
  })
})

test('refuses an unknown message, and a request without a fact', async () => {
  const messageId = `pm_${'0'.repeat(24)}`
  const fact = confirmed({})
  await expect(at.ledger.applyEvidence({ messageId, fact })).rejects.toMatchObject({
    reason: 'invalid_request',
    facts: { field: 'message_id' },
  })
  await expect(at.ledger.applyEvidence({ messageId, fact: undefined })).rejects.toMatchObject({
    reason: 'invalid_request',
    facts: { field: 'fact' },
  })
})
