import {
  type ApplyEvidenceRequest,
  IntentStatus,
  ProviderMessageKind,
} from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { eventually } from '@malipo/testing/eventually'
import { cards } from '../cards/cards.harness'
import { ledgerOfFile } from '../ledger.harness'
import { confirmed, declined, unique } from '../payments.harness'
import { letPass } from '../time.harness'
import { evidence } from '../evidence/evidence.harness'

const at = ledgerOfFile()
test('an M-PESA callback with more than one wrong field is only counted: it does not hold its intent open', async () => {
  const { checkoutId } = await at.pay.checkout()
  const attempt = await at.pay.pending(checkoutId)
  await at.pay.paid(attempt, { sourceKnown: false, amountMinor: 1n })
  await letPass(at.database, 151)
  await eventually('it expires', async () => {
    return (await at.pay.status(attempt.intentId)) === IntentStatus.EXPIRED
  })
})

test('an M-PESA callback from an unknown address holds its intent open until the statement confirms it', async () => {
  const { checkoutId } = await at.pay.checkout()
  const attempt = await at.pay.pending(checkoutId)
  const receipt = unique('R').slice(0, 10)
  await at.pay.paid(attempt, { sourceKnown: false, receipt })
  const { intentId, providerRequestId } = attempt
  const answer = await evidence(at).fetched(attempt, declined(providerRequestId))
  expect(answer.result).toBe('EVIDENCE_RESULT_CONTRADICTION')
  await letPass(at.database, 400)
  expect(await at.pay.status(intentId)).toBe(IntentStatus.PENDING)
  await evidence(at).fetched(
    attempt,
    confirmed({ receipt, amountMinor: attempt.amountMinor }),
    ProviderMessageKind.STATEMENT_ROW,
  )
  expect(await at.pay.status(intentId)).toBe(IntentStatus.COMPLETED)
})

describe('by card', () => {
  const noOrder: ApplyEvidenceRequest['fact'] = {
    $case: 'notFound',
    value: { providerCode: 'ORDER_NOT_FOUND' },
  }

  test('an attempt without an order fails at the next "not found" after the card gateway reports that its payer left the page', async () => {
    const card = cards(at)
    const { intentId } = await card.open()
    await card.fetched(intentId, noOrder)
    expect(await at.pay.status(intentId)).toBe(IntentStatus.PENDING)
    await card.hinted(intentId, card.left)
    expect((await card.fetched(intentId, noOrder)).result).toBe('EVIDENCE_RESULT_FAILED')
  })

  test('an order that was reported as paid and is not found stays pending past its session', async () => {
    const card = cards(at)
    const attempt = await card.open()
    await card.hinted(attempt.intentId, card.left)
    await letPass(at.database, 850)
    await card.hinted(attempt.intentId, confirmed({ providerRequestId: attempt.intentId }))
    await letPass(at.database, 550)
    expect((await card.fetched(attempt.intentId, noOrder)).result).toBe('EVIDENCE_RESULT_KEPT')
    expect(await at.pay.status(attempt.intentId)).toBe(IntentStatus.PENDING)
    await card.fetched(attempt.intentId, card.paid(attempt))
    expect(await at.pay.status(attempt.intentId)).toBe(IntentStatus.COMPLETED)
  })
})
