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
  expect([writes?.matched, writes?.suspense, writes?.report]).toEqual(Array(3).fill(undefined))
})

test.each<[string, Changes, string]>([
  ['whose refund has failed settles', held({ refunds: ['failed', 'withdrawn'] }), 'settled'],
  [
    'whose refund is asked for contradicts',
    held({ refunds: ['failed', 'asked'] }),
    'contradiction',
  ],
  ['whose money went back contradicts', held({ holder: null }), 'contradiction'],
  ['of another amount contradicts', held({ minor: 49_900n }), 'contradiction'],
  ['that another intent has contradicts', held({ isOwned: true }), 'contradiction'],
  ['held as a mismatch contradicts', held({ holder: 'suspense:mismatch' }), 'contradiction'],
  ['that is being placed with an owner contradicts', held({ isClaimed: true }), 'contradiction'],
  ['paid two minutes before the prompt was sent settles', held({ paidAt: earliest }), 'settled'],
  [
    'paid more than two minutes before the prompt was sent contradicts',
    held({ paidAt: earliest - 1 }),
    'contradiction',
  ],
  ['paid twelve minutes after the prompt was sent settles', held({ paidAt: latest }), 'settled'],
  [
    'paid more than twelve minutes after the prompt was sent contradicts',
    held({ paidAt: latest + 1 }),
    'contradiction',
  ],
  ['paid under an account number contradicts', held({ hasAccountNumber: true }), 'contradiction'],
  [
    'paid under an account number or none, which is not known, contradicts',
    held({ hasAccountNumber: null }),
    'contradiction',
  ],
  ['whose money a wallet has contradicts', held({ holder: 'wallet:acc_2' }), 'contradiction'],
  ['for a frozen wallet contradicts', { ...held(), wallet: 'frozen' }, 'contradiction'],
  [
    'for a paid checkout is settled already',
    { ...held(), isCheckoutPaid: true },
    'already_settled',
  ],
  [
    'for a paid checkout contradicts when another intent has it',
    { ...held({ isOwned: true }), isCheckoutPaid: true },
    'contradiction',
  ],
  [
    'for an intent that is settled is settled already',
    { intent: settled, isPosted: true },
    'already_settled',
  ],
])('a posted receipt %s', (_, changes, result) => {
  const { applied, writes } = decide(receipt(), changes)
  expect(applied.result).toBe(result)
  if (result !== 'settled') expect(writes?.transfers).toEqual([])
})

test.each<[string, NonNullable<Changes['message']>, string]>([
  ['the statement', { kind: 'statement_row' }, 'settled'],
  ['a status query', query, 'settled'],
  ['a callback', {}, 'contradiction'],
])(
  'money paid under another account number, when %s names it (%o), is %s',
  (_, message, result) => {
    const { applied } = decide(receipt(), { ...held({ hasAccountNumber: true }), message })
    expect(applied.result).toBe(result)
  },
)

test('a receipt that is not for the intent is reported as elsewhere, and keeps the intent open', () => {
  const { writes } = decide(receipt(), held({ isOwned: true }))
  expect(writes?.report).toMatchObject({ intentId: 'pi_1', receipt: 'R1', isElsewhere: true })
  expect(writes?.intent).toMatchObject({ status: 'pending', reportedAt: now })
})

test.each<[string, boolean, Changes]>([
  ['lies unmatched in suspense', false, held()],
  ['another intent has', true, held({ isOwned: true })],
])(
  'a callback from an unlisted address reports a receipt that %s, marked as elsewhere: %s',
  (_, isElsewhere, changes) => {
    const { applied, writes } = decide(receipt(), { ...changes, message: { isSourceKnown: false } })
    expect(applied.result).toBe('kept')
    expect(writes?.report).toMatchObject({ receipt: 'R1', isElsewhere })
    expect(writes?.intent).toMatchObject({ reportedAt: now, queryAt: expect.any(Number) as number })
  },
)

test.each<[string, Partial<ReceiptElsewhere>, string]>([
  ['lies unmatched in suspense settles', {}, 'settled'],
  ['another intent has does not settle', { isOwned: true }, 'kept'],
  ['came under an account number does not settle', { hasAccountNumber: true }, 'kept'],
  ['is older than the prompt does not settle', { paidAt: earliest - 1 }, 'kept'],
])('"paid" without a receipt, beside a reported receipt that %s', (_, changes, result) => {
  const { applied, writes } = decide(paid, {
    ...{ message: query, reports: [report({ isPosted: true })] },
    elsewhere: [{ ...unmatched, ...changes }],
  })
  expect(applied.result).toBe(result)
  if (result === 'kept') expect(writes?.intent?.receiptWanted).toBe(true)
  else expect(writes?.transfers).toMatchObject([{ eventKey: 'placed:mpesa:R1' }])
})

test.each<[string, Partial<Report>, string]>([
  ['contradicts when it was reported before the journal had it', {}, 'contradiction'],
  ['does not contradict again once it was reported as elsewhere', { isElsewhere: true }, 'kept'],
  [
    'contradicts when another receipt was reported as elsewhere',
    { isElsewhere: true, receipt: 'R2' },
    'contradiction',
  ],
])('a receipt of another payment %s', (_, changes, result) => {
  const reports = [report({ isPosted: true, ...changes })]
  for (const message of [{}, query, { kind: 'statement_row' }] as const) {
    const { applied } = decide(receipt(), { ...held({ isOwned: true }), reports, message })
    expect(applied.result).toBe(result)
  }
})

test.each<[string, Partial<Report>, boolean]>([
  ['before the journal had it is reported again', {}, true],
  ['as elsewhere is not reported again', { isElsewhere: true }, false],
  [
    'as elsewhere by weaker evidence is reported again',
    { isElsewhere: true, strength: 'E2' },
    true,
  ],
])('a receipt of another payment that was reported %s', (_, changes, isReported) => {
  const reports = [report({ isPosted: true, ...changes })]
  const { writes } = decide(receipt(), { ...held({ isOwned: true }), reports })
  expect(writes?.report !== undefined).toBe(isReported)
})
