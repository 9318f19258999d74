import type { ReceiptGroup } from './compare-receipts'
import { makeReports } from './make-report'

const group: ReceiptGroup = {
  ...{ provider: 'card', source: 'statement', isAnswered: false },
  ...{ isFrozen: false, isGivenBack: false, isUnread: false },
  ...{ receipts: 1, statedMinor: 500n, postedMinor: null, names: ['A'] },
}

test('each provider has a report, of its own receipts and of its float', () => {
  const float = { refundedMinor: 30n, inMinor: 900n, outMinor: 130n }
  const days = ['card', 'mpesa'].map((provider) => ({ provider, readUntil: 7, float }))
  const moved = { refundedMinor: 30n, floatMinor: 770n, readUntil: 7 }
  expect(makeReports(days, [group])).toMatchObject([
    { provider: 'card', ...moved, providerReceipts: 1, differenceMinor: 500n, differing: ['A'] },
    { provider: 'mpesa', ...moved, providerReceipts: 0, differenceMinor: 0n, differing: [] },
  ])
})
