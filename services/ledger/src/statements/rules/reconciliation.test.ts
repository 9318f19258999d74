import {
  boundsOf,
  dueDays,
  isDue,
  isDay,
  isReadTo,
  statementReadUntil,
  type Comparison,
  compareReceipts,
  type ReceiptGroup,
  makeReports,
} from './reconciliation'

const at = (time: string) => Date.parse(time) * 1_000

test('a day begins and ends at midnight in East Africa', () => {
  expect(boundsOf('2026-11-20')).toEqual({
    from: at('2026-11-20T00:00:00+03:00'),
    until: at('2026-11-21T00:00:00+03:00'),
  })
})

test.each([
  ['2026-11-30', true],
  ['2028-02-29', true],
  ['2026-02-29', false],
  ['2026-02-30', false],
  ['2026-11-31', false],
  ['2026-13-01', false],
  ['2026-11-3', false],
  ['+010000-01', false],
  ['yesterday', false],
])('takes %s for a day of the calendar: %s', (text, expected) => {
  expect(isDay(text)).toBe(expected)
})

test.each([
  ['2026-11-20T00:00:00+03:00', '2026-11-18'],
  ['2026-11-20T00:59:59+03:00', '2026-11-18'],
  ['2026-11-20T01:00:00+03:00', '2026-11-19'],
  ['2026-11-20T23:59:59+03:00', '2026-11-19'],
  ['2026-12-01T12:00:00+03:00', '2026-11-30'],
])('at %s the reconciliation of the day %s is due', (now, day) => {
  expect(dueDays(at(now), at(now))).toEqual([day])
})

test('reports of the last seven days are due, the oldest first, and none from before the ledger began', () => {
  const now = at('2026-11-20T12:00:00+03:00')
  expect(dueDays(now, at('2026-11-17T00:00:00+03:00'))).toEqual([
    '2026-11-17',
    '2026-11-18',
    '2026-11-19',
  ])
  expect(dueDays(now, at('2026-11-16T23:59:59+03:00'))[0]).toBe('2026-11-16')
  const all = dueDays(now, at('2026-01-01T00:00:00+03:00'))
  expect([all.length, all[0], all.at(-1)]).toEqual([7, '2026-11-13', '2026-11-19'])
})

const [dayBegin, dayEnd] = [at('2026-11-19T00:00:00+03:00'), at('2026-11-20T00:00:00+03:00')]
const keptOf = (provider: string, readUntil: number, day = '2026-11-19') => ({
  ...{ day, provider, readUntil },
})

test.each([
  ['no report', true, [], dayBegin],
  ['the report of another day alone', true, [keptOf('mpesa', dayEnd, '2026-11-18')], dayEnd],
  ['a report that was read to the end', false, [keptOf('mpesa', dayEnd)], dayEnd],
  ['an unread report and no later reading', false, [keptOf('mpesa', dayBegin)], dayEnd - 1],
  ['an unread report and a later reading', true, [keptOf('mpesa', dayBegin)], dayEnd],
  [
    ...(['one unread report of two and a later reading', true] as const),
    ...([[keptOf('mtn_momo', dayEnd), keptOf('mpesa', dayBegin)], dayEnd] as const),
  ],
] as const)('whether a day with %s is due: %s', (_, expected, kept, until) => {
  const reads = [{ provider: 'mpesa', from: dayBegin, until }]
  expect(isDue('2026-11-19', kept, { begun: 0, reads })).toBe(expected)
})

test('a past day must be read to its end, and today up to a quarter of an hour ago', () => {
  const end = at('2026-11-21T00:00:00+03:00')
  const [noon, nextNoon] = [at('2026-11-20T12:00:00+03:00'), at('2026-11-21T12:00:00+03:00')]
  expect(isReadTo(end, end, nextNoon)).toBe(true)
  expect(isReadTo(end - 1, end, nextNoon)).toBe(false)
  expect(isReadTo(noon - 900_000_000, end, noon)).toBe(true)
  expect(isReadTo(noon - 900_000_001, end, noon)).toBe(false)
})

const read = (from: number, until: number, provider = 'mpesa') => ({ provider, from, until })

test.each([
  ['nothing was read', [], 100],
  ['one reading reaches from before', [read(50, 300)], 300],
  ['two follow on each other', [read(90, 200), read(200, 400)], 400],
  ['they are reported in another order', [read(200, 400), read(90, 200)], 400],
  ['a short one lies within a long one', [read(90, 400), read(120, 150), read(300, 500)], 500],
  ['there is a gap between two', [read(90, 200), read(201, 400)], 200],
  ['the first begins too late', [read(101, 400)], 100],
  ['one ended before', [read(10, 60)], 100],
  ['it was read past the end', [read(90, 2_000)], 1_000],
  ['another provider was read', [read(90, 400, 'card')], 100],
])('the statement counts as known up to the first gap: %s', (_, reads, known) => {
  const answer = read(100, 1_000)
  expect(statementReadUntil({ begun: 0, reads }, answer)).toBe(known)
})

test('the statement counts as known without a reading up to the start of the ledger', () => {
  const answer = read(100, 1_000)
  expect(statementReadUntil({ begun: 150, reads: [] }, answer)).toBe(150)
  expect(statementReadUntil({ begun: 150, reads: [read(140, 300)] }, answer)).toBe(300)
  expect(statementReadUntil({ begun: 5_000, reads: [] }, answer)).toBe(1_000)
})

test('a provider without a statement always counts as known', () => {
  expect(statementReadUntil({ begun: 0, reads: [] }, read(100, 1_000, 'mtn_momo'))).toBe(1_000)
})

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
])('receipts differ unless both sides agree: those which %s', (_, group, expected) => {
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

const group: ReceiptGroup = {
  ...{ provider: 'card', source: 'statement', isAnswered: false },
  ...{ isFrozen: false, isGivenBack: false, isUnread: false },
  ...{ receipts: 1, statedMinor: 500n, postedMinor: null, names: ['A'] },
}

test('each provider has a report, of its own receipts and of its float', () => {
  const float = { refundedMinor: 30n, formerMinor: 900n, movedMinor: -130n }
  const days = ['card', 'mpesa'].map((provider) => ({ provider, readUntil: 7, float }))
  const moved = { refundedMinor: 30n, floatMinor: 770n, readUntil: 7 }
  expect(makeReports(days, [group])).toMatchObject([
    { provider: 'card', ...moved, providerReceipts: 1, differenceMinor: 500n, differing: ['A'] },
    { provider: 'mpesa', ...moved, providerReceipts: 0, differenceMinor: 0n, differing: [] },
  ])
})
