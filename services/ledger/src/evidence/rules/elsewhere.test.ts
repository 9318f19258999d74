import {
  type Changes,
  decide,
  now,
  query,
  receipt,
  report,
  settled,
} from './decide-evidence.harness'
import type { Fact, ReceiptElsewhere } from './state'

const unmatched: ReceiptElsewhere = {
  ...{ receipt: 'R1', holder: 'suspense:unmatched', minor: 50_000n },
  ...{ refunds: [], isOwned: false },
}
const held = (changes: Partial<ReceiptElsewhere> = {}): Changes => ({
  ...{ isPosted: true, elsewhere: [{ ...unmatched, ...changes }] },
})
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
  ['that a wallet has', held({ holder: 'wallet:acc_2' }), 'contradiction'],
  ['for a frozen wallet', { ...held(), wallet: 'frozen' }, 'contradiction'],
  ['for a paid checkout', { ...held(), isCheckoutPaid: true }, 'contradiction'],
  ['for an intent that is settled', { intent: settled, isPosted: true }, 'already_settled'],
])('a posted receipt %s', (_, changes, result) => {
  const { applied, writes } = decide(receipt(), changes)
  expect(applied.result).toBe(result)
  if (result !== 'settled') expect(writes?.transfers).toEqual([])
})

test('a receipt that is not for the intent is reported without it, and holds the intent open', () => {
  const { writes } = decide(receipt(), held({ isOwned: true }))
  expect(writes?.report).toMatchObject({ intentId: 'pi_1', receipt: '', minor: 50_000n })
  expect(writes?.intent).toMatchObject({ status: 'pending', reportedAt: now })
})

test.each<[string, string, Changes]>([
  ['lies unmatched in suspense', 'R1', held()],
  ['another intent has', '', held({ isOwned: true })],
])('what only makes us ask reports a receipt that %s as "%s"', (_, named, changes) => {
  const { applied, writes } = decide(receipt(), { ...changes, message: { isSourceKnown: false } })
  expect(applied.result).toBe('kept')
  expect(writes?.report?.receipt).toBe(named)
  expect(writes?.intent).toMatchObject({ reportedAt: now, queryAt: expect.any(Number) as number })
})

test.each<[string, Partial<ReceiptElsewhere>, string]>([
  ['lies unmatched in suspense', {}, 'settled'],
  ['another intent has', { isOwned: true }, 'kept'],
])('"paid" beside a report whose receipt %s', (_, changes, result) => {
  const { applied, writes } = decide(paid, {
    ...{ message: query, reports: [report({ isPosted: true })] },
    elsewhere: [{ ...unmatched, ...changes }],
  })
  expect(applied.result).toBe(result)
  if (result === 'kept') expect(writes?.intent?.receiptWanted).toBe(true)
  else expect(writes?.transfers).toMatchObject([{ eventKey: 'placed:mpesa:R1' }])
})
