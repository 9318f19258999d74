import { type Comparison, compareReceipts, type ReceiptGroup } from './compare-receipts'

const agreed: ReceiptGroup = {
  ...{ provider: 'mpesa', source: 'statement', isAnswered: false },
  ...{ isFrozen: false, isGivenBack: false, isUnread: false },
  ...{ receipts: 2, statedMinor: 500n, postedMinor: 500n, names: ['A', 'B'] },
}
const unstated = { ...agreed, source: 'journal', statedMinor: null } as const
const reported = { ...agreed, source: 'report', postedMinor: null } as const
const differs = { differenceMinor: 500n, differing: ['A', 'B'] }
const agrees = { differenceMinor: 0n, differing: [] }
const unknown = { unknownReceipts: 2, unknownMinor: 500n }

test.each<[string, ReceiptGroup, Partial<Comparison>]>([
  ['both sides have', agreed, { ...agrees, providerMinor: 500n, journalMinor: 500n }],
  [
    'the journal has less of',
    { ...agreed, postedMinor: 480n },
    { ...differs, differenceMinor: 20n },
  ],
  [
    'the journal has more of',
    { ...agreed, postedMinor: 530n },
    { ...differs, differenceMinor: 30n },
  ],
  ['the statement alone has', { ...agreed, postedMinor: null }, { ...differs, journalReceipts: 0 }],
  ['the journal alone has', unstated, { ...differs, providerReceipts: 0, unknownReceipts: 0 }],
  [
    'the provider has answered',
    { ...unstated, isAnswered: true },
    { ...agrees, providerReceipts: 2 },
  ],
  [
    'the provider was not asked for yet',
    { ...unstated, isUnread: true },
    { ...agrees, ...unknown },
  ],
  [
    'are stated, though not read that far',
    { ...agreed, isUnread: true },
    { ...agrees, unknownReceipts: 0 },
  ],
  ['are frozen and with us', { ...unstated, isFrozen: true }, differs],
  [
    'never were',
    { ...unstated, isFrozen: true, isGivenBack: true },
    { ...agrees, journalReceipts: 0 },
  ],
  [
    'never were, though they are stated',
    { ...agreed, isFrozen: true, isGivenBack: true },
    { ...differs, journalReceipts: 0, providerReceipts: 2 },
  ],
  [
    'never were, though they were answered',
    { ...unstated, isAnswered: true, isFrozen: true, isGivenBack: true },
    { ...agrees, providerReceipts: 0 },
  ],
  [
    'were reported and not posted',
    reported,
    { ...differs, providerReceipts: 2, journalReceipts: 0 },
  ],
  ['were reported, though not read that far', { ...reported, isUnread: true }, differs],
])('compares receipts which %s', (_, group, expected) => {
  expect(compareReceipts([group])).toMatchObject(expected)
})

test('adds up groups, and names the first twenty differing receipts in order', () => {
  const many = Array.from({ length: 15 }, (_, place) => `M${String(place).padStart(2, '0')}`)
  const found = compareReceipts([
    agreed,
    { ...unstated, names: many.map((name) => `Z${name}`) },
    { ...agreed, postedMinor: null, names: many },
  ])
  expect(found).toMatchObject({ providerReceipts: 4, journalReceipts: 4, differenceMinor: 1_000n })
  expect(found.differing).toEqual([...many, ...many.slice(0, 5).map((name) => `Z${name}`)])
})
