import {
  EvidenceResult,
  IntentStatus,
  ProviderMessageKind,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { ledgerOfFile } from '../ledger.harness'
import { confirmed, declined, type Pending, unique, uniqueReceipt } from '../payments.harness'
import { letPass } from '../time.harness'
import { evidence } from './evidence.harness'

const at = ledgerOfFile()
const { pay } = at
const received = evidence(at)

const paid = (attempt: Pending) => confirmed({ providerRequestId: attempt.providerRequestId })
const denied = (attempt: Pending, code?: string) => declined(attempt.providerRequestId, code)
const undecided = { $case: 'undecided', value: { providerCode: '4999' } } as const

test('row 17: "paid" without a receipt posts nothing, and the receipt in the statement then posts the money', async () => {
  const attempt = await received.pending()
  expect(await received.fetched(attempt, paid(attempt))).toEqual({
    result: EvidenceResult.KEPT,
    status: IntentStatus.PENDING,
  })
  const row = confirmed({ receipt: uniqueReceipt(), amountMinor: 50_000n })
  expect(await received.fetched(attempt, row, ProviderMessageKind.STATEMENT_ROW)).toEqual({
    result: EvidenceResult.SETTLED,
    status: IntentStatus.COMPLETED,
  })
})

test('one "declined" does not fail the attempt; a second one 15 seconds later does', async () => {
  const attempt = await received.pending()
  await letPass(at.database, 75)
  expect(await received.fetched(attempt, denied(attempt))).toEqual({
    result: EvidenceResult.KEPT,
    status: IntentStatus.PENDING,
  })
  await letPass(at.database, 13)
  expect((await received.fetched(attempt, denied(attempt))).result).toBe(EvidenceResult.KEPT)
  await letPass(at.database, 2)
  expect(await received.fetched(attempt, denied(attempt))).toEqual({
    result: EvidenceResult.FAILED,
    status: IntentStatus.FAILED,
  })
})

test('two "declined" with different codes do not fail the attempt', async () => {
  const attempt = await received.pending()
  await letPass(at.database, 75)
  await received.fetched(attempt, denied(attempt, '1032'))
  await letPass(at.database, 15)
  expect((await received.fetched(attempt, denied(attempt, '1037'))).status).toBe(
    IntentStatus.PENDING,
  )
})

test('"declined" about a prompt younger than a minute does not count', async () => {
  const attempt = await received.pending()
  await letPass(at.database, 20)
  await received.fetched(attempt, denied(attempt))
  await letPass(at.database, 45)
  expect((await received.fetched(attempt, denied(attempt))).status).toBe(IntentStatus.PENDING)
})

test('row 19: "still processing" cancels the "declined" before it, so one more "declined" does not fail the attempt', async () => {
  const attempt = await received.pending()
  await letPass(at.database, 75)
  await received.fetched(attempt, denied(attempt))
  await letPass(at.database, 15)
  await received.fetched(attempt, undecided)
  await letPass(at.database, 15)
  expect((await received.fetched(attempt, denied(attempt))).status).toBe(IntentStatus.PENDING)
})

test('row 18: "declined" after "paid" never fails the attempt, however often it is answered', async () => {
  const attempt = await received.pending()
  await letPass(at.database, 75)
  await received.fetched(attempt, paid(attempt))
  for (let lie = 0; lie < 3; lie += 1) {
    await letPass(at.database, 15)
    expect(await received.fetched(attempt, denied(attempt))).toEqual({
      result: EvidenceResult.CONTRADICTION,
      status: IntentStatus.PENDING,
    })
  }
})

test('a callback cannot fail an attempt that a query reported as paid', async () => {
  const attempt = await received.pending()
  await received.fetched(attempt, paid(attempt))
  expect(await pay.declined(attempt)).toEqual({
    result: EvidenceResult.CONTRADICTION,
    status: IntentStatus.PENDING,
  })
})

test('ignores an answer about another prompt', async () => {
  const attempt = await received.pending()
  await letPass(at.database, 75)
  const other = { ...attempt, providerRequestId: unique('ws_') }
  await received.fetched(attempt, denied(other))
  await letPass(at.database, 15)
  expect((await received.fetched(attempt, denied(other))).status).toBe(IntentStatus.PENDING)
})

test('a "declined" callback from an unknown address does not count as the second answer', async () => {
  const attempt = await received.pending()
  await letPass(at.database, 75)
  await pay.declined(attempt, { sourceKnown: false })
  expect(await received.fetched(attempt, denied(attempt))).toEqual({
    result: EvidenceResult.KEPT,
    status: IntentStatus.PENDING,
  })
})
