import { type Intent, later } from '../../evidence/rules/state'
import { type Changes, decide, intent, now } from './decide-pay-bill.harness'

const byHandIntent: Intent = {
  ...intent,
  ...{ status: 'completed', settledMinor: 50_000n, receipt: 'R0', settledAt: now },
}
const byHand: Changes = {
  intent: byHandIntent,
  ...{ isCheckoutPaid: true, isPostedByHand: true, message: { kind: 'statement_row' } },
}

test('another receipt of a prompt that operators have posted by hand is reported, and not posted', () => {
  const { applied, writes } = decide(byHand)
  expect(applied).toMatchObject({ result: 'contradiction', disposition: null })
  expect(writes).toMatchObject({
    transfers: [],
    report: { intentId: 'pi_1', receipt: 'R1', provider: 'mpesa', minor: 50_000n, strength: 'E4' },
  })
})

test.each<[string, Changes, string]>([
  ['of another amount than the prompt', { fact: { amountMinor: 40_000n } }, 'settled'],
  ['of a prompt that was settled by evidence', { isPostedByHand: false }, 'settled'],
  ['that is posted', { postedMinor: 50_000n }, 'already_settled'],
  [
    'for the prompt of another provider',
    { intent: { ...byHandIntent, rail: 'airtel_money' } },
    'settled',
  ],
])('a receipt %s does not contradict a posting by hand', (_, changes, result) => {
  expect(decide({ ...byHand, ...changes }).applied.result).toBe(result)
})

const ofAnother: Changes = {
  ...{ intent, isReceiptOfAnother: true, postedMinor: 50_000n },
  ...{ message: { kind: 'statement_row' }, fact: { account: 'MABC1' } },
}

test('the receipt of another payment, named for a prompt without money, is reported and keeps the prompt open', () => {
  const { applied, writes } = decide(ofAnother)
  expect(applied).toMatchObject({ result: 'contradiction', status: 'pending', disposition: null })
  expect(writes).toMatchObject({
    ...{ transfers: [], paymentEvent: undefined },
    report: { intentId: 'pi_1', receipt: 'R1', minor: 50_000n, strength: 'E4', isElsewhere: true },
    intent: { id: 'pi_1', status: 'pending', reportedAt: now, heldUntil: later(now, 600) },
  })
})

test.each<[string, Changes, Partial<Intent>]>([
  ['that was posted with another amount', { postedMinor: 40_000n }, {}],
  ['that a callback names', { message: { kind: 'callback' } }, {}],
  [
    'that names a prompt that has expired',
    {},
    { status: 'expired', endedAt: now, deadlineAt: null },
  ],
  [
    'that names a prompt that was declined',
    {},
    { status: 'failed', endedAt: now, deadlineAt: null },
  ],
])(
  'a receipt of another payment %s is also reported for the prompt that it names',
  (_, changes, course) => {
    const { applied, writes } = decide({
      ...{ ...ofAnother, ...changes },
      intent: { ...intent, ...course },
    })
    expect(applied.result).toBe('contradiction')
    expect(writes?.report).toMatchObject({ intentId: 'pi_1', isElsewhere: true })
    expect(writes?.intent).toMatchObject({ reportedAt: now })
  },
)

test('the receipt of another payment contradicts again for a prompt that was reported before, and does not keep it open for longer', () => {
  const reported = { ...intent, reportedAt: later(now, -60) }
  const { applied, writes } = decide({ ...ofAnother, intent: reported })
  expect([applied.result, writes?.intent]).toEqual(['contradiction', undefined])
})

test.each<[string, Changes]>([
  ['is that of the prompt, or of its checkout', { isReceiptOfAnother: false }],
  ['comes to a till, where no payer names a prompt', { fact: { account: '' } }],
  [
    'is named for a prompt that was never sent',
    { intent: { ...intent, status: 'reserved', submittedAt: null } },
  ],
  ['is named for a card', { intent: { ...intent, rail: 'card' } }],
  ['is named for the number of a checkout', { intent: undefined }],
])('a posted receipt is answered "already settled" when it %s', (_, changes) => {
  const { applied, writes } = decide({ ...ofAnother, ...changes })
  expect([applied.result, writes?.report]).toEqual(['already_settled', undefined])
})
