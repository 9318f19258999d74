import {
  type Changes,
  decide,
  now,
  query,
  receipt,
  report,
  settled,
} from './decide-evidence.harness'
import { type Fact, later, type ReceiptElsewhere, type Report } from './state'

const unmatched: ReceiptElsewhere = {
  ...{ receipt: 'R1', holder: 'suspense:unmatched', minor: 50_000n },
  ...{ refunds: [], isOwned: false, isClaimed: false },
  ...{ paidAt: later(now, -60), hasAccountNumber: false },
}
const held = (changes: Partial<ReceiptElsewhere> = {}): Changes => ({
  ...{ isPosted: true, elsewhere: [{ ...unmatched, ...changes }] },
})
const submittedAt = later(now, -90)
const [earliest, latest] = [later(submittedAt, -120), later(submittedAt, 720)]
const paid: Fact = { kind: 'paid', providerRequestId: 'ws_1' }

test('a receipt that lies unmatched in suspense settles its intent from there', () => {
  const { applied, writes } = decide(receipt({ paidAt: new Date(1_799_999_999_000) }), held())
  expect(applied).toMatchObject({ result: 'settled', status: 'completed', disposition: 'merchant' })
  expect(writes?.transfers).toEqual([
    {
      ...{ eventKey: 'placed:mpesa:R1', leg: 0, debit: 'suspense:unmatched' },
      ...{ credit: 'wallet:acc_1', minor: 50_000n, eventAt: now },
    },
  ])
  expect(writes?.intent).toMatchObject({ receipt: 'R1', settledMinor: 50_000n, settledAt: now })
  expect([writes?.born, writes?.suspense, writes?.report]).toEqual(Array(3).fill(undefined))
})

test.each<[string, Changes, string]>([
  ['whose refund has failed', held({ refunds: ['failed', 'withdrawn'] }), 'settled'],
  ['whose refund is asked for', held({ refunds: ['failed', 'asked'] }), 'contradiction'],
  ['that went back', held({ holder: null }), 'contradiction'],
  ['of another amount', held({ minor: 49_900n }), 'contradiction'],
  ['that another intent has', held({ isOwned: true }), 'contradiction'],
  ['held as a mismatch', held({ holder: 'suspense:mismatch' }), 'contradiction'],
  ['that another is to get', held({ isClaimed: true }), 'contradiction'],
  ['paid two minutes before the prompt was sent', held({ paidAt: earliest }), 'settled'],
  ['paid before that', held({ paidAt: earliest - 1 }), 'contradiction'],
  ['paid twelve minutes after the prompt was sent', held({ paidAt: latest }), 'settled'],
  ['paid after that', held({ paidAt: latest + 1 }), 'contradiction'],
  ['under an account number', held({ hasAccountNumber: true }), 'contradiction'],
  ['of which no account number was kept', held({ hasAccountNumber: null }), 'contradiction'],
  ['that a wallet has', held({ holder: 'wallet:acc_2' }), 'contradiction'],
  ['for a frozen wallet', { ...held(), wallet: 'frozen' }, 'contradiction'],
  ['for a paid checkout', { ...held(), isCheckoutPaid: true }, 'already_settled'],
  [
    'for a paid checkout, that another intent has',
    { ...held({ isOwned: true }), isCheckoutPaid: true },
    'contradiction',
  ],
  ['for an intent that is settled', { intent: settled, isPosted: true }, 'already_settled'],
])('a posted receipt settles only where it fits the prompt: %s', (_, changes, result) => {
  const { applied, writes } = decide(receipt(), changes)
  expect(applied.result).toBe(result)
  if (result !== 'settled') expect(writes?.transfers).toEqual([])
})

test.each<[string, NonNullable<Changes['message']>, string]>([
  ['the statement', { kind: 'statement_row' }, 'settled'],
  ['a status query', query, 'settled'],
  ['a callback', {}, 'contradiction'],
])('%s names money of another account number (%o): %s', (_, message, result) => {
  const { applied } = decide(receipt(), { ...held({ hasAccountNumber: true }), message })
  expect(applied.result).toBe(result)
})

test('a receipt that is not for the intent is reported as elsewhere, and keeps the intent open', () => {
  const { writes } = decide(receipt(), held({ isOwned: true }))
  expect(writes?.report).toMatchObject({ intentId: 'pi_1', receipt: 'R1', isElsewhere: true })
  expect(writes?.intent).toMatchObject({ status: 'pending', reportedAt: now })
})

test.each<[string, boolean, Changes]>([
  ['lies unmatched in suspense', false, held()],
  ['another intent has', true, held({ isOwned: true })],
])('a weak callback reports a receipt that %s; elsewhere: %s', (_, isElsewhere, changes) => {
  const { applied, writes } = decide(receipt(), { ...changes, message: { isSourceKnown: false } })
  expect(applied.result).toBe('kept')
  expect(writes?.report).toMatchObject({ receipt: 'R1', isElsewhere })
  expect(writes?.intent).toMatchObject({ reportedAt: now, queryAt: expect.any(Number) as number })
})

test.each<[string, Partial<ReceiptElsewhere>, string]>([
  ['lies unmatched in suspense', {}, 'settled'],
  ['another intent has', { isOwned: true }, 'kept'],
  ['came under an account number', { hasAccountNumber: true }, 'kept'],
  ['is older than the prompt', { paidAt: earliest - 1 }, 'kept'],
])('"paid" settles only by an unmatched receipt: one that %s', (_, changes, result) => {
  const { applied, writes } = decide(paid, {
    ...{ message: query, reports: [report({ isPosted: true })] },
    elsewhere: [{ ...unmatched, ...changes }],
  })
  expect(applied.result).toBe(result)
  if (result === 'kept') expect(writes?.intent?.receiptWanted).toBe(true)
  else expect(writes?.transfers).toMatchObject([{ eventKey: 'placed:mpesa:R1' }])
})

test.each<[string, Partial<Report>, string]>([
  ['was named before it was there', {}, 'contradiction'],
  ['was named when it was there', { isElsewhere: true }, 'kept'],
  ['is not the one that was named', { isElsewhere: true, receipt: 'R2' }, 'contradiction'],
])('a receipt of another payment that %s contradicts once', (_, changes, result) => {
  const reports = [report({ isPosted: true, ...changes })]
  for (const message of [{}, query, { kind: 'statement_row' }] as const) {
    const { applied } = decide(receipt(), { ...held({ isOwned: true }), reports, message })
    expect(applied.result).toBe(result)
  }
})

test.each<[string, Partial<Report>, boolean]>([
  ['as waiting for the journal is', {}, true],
  ['as being elsewhere is not', { isElsewhere: true }, false],
  ['as being elsewhere, by weaker evidence, is', { isElsewhere: true, strength: 'E2' }, true],
])('a receipt of another payment that was reported %s reported again', (_, changes, isReported) => {
  const reports = [report({ isPosted: true, ...changes })]
  const { writes } = decide(receipt(), { ...held({ isOwned: true }), reports })
  expect(writes?.report !== undefined).toBe(isReported)
})
