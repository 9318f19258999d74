import { differencesOf } from './audit-services'

const row = (receipt: string, changes: object = {}) => ({
  receipt,
  provider: 'mpesa',
  kind: 'stk_push',
  account: 'x',
  amount: '50000',
  at: '2026-11-20T11:00:00Z',
  ...changes,
})
const later = row('LAST', { at: '2026-11-20T12:00:00Z' })
/** Long after the book's first rows, and a minute after its last. */
const now = Date.parse('2026-11-20T12:01:00Z')
const posted = (event: string, minor = '50000') => ({ event, minor })

test('the audit finds no difference between equal receipts and refunds', () => {
  const book = [row('A'), row('B', { kind: 'reversal', account: 'A' }), later]
  const journal = [
    posted('receipt:mpesa:A'),
    posted('refunded:mpesa:A'),
    posted('receipt:mpesa:LAST'),
  ]
  expect(differencesOf(book, journal, now)).toEqual([])
})

test.each(['card_void', 'card_refund'])(
  'a card payment that went back by %s is no difference',
  (kind) => {
    const card = { provider: 'card', amount: '51800' }
    const book = [
      row('pi_1-1', { ...card, kind: 'card_payment', account: 'pi_1' }),
      row('pi_1-2', { ...card, kind, account: 'pi_1-1' }),
      later,
    ]
    const journal = [
      posted('receipt:card:pi_1-1', '51800'),
      posted('refunded:card:pi_1-1', '51800'),
      posted('receipt:mpesa:LAST'),
    ]
    expect(differencesOf(book, journal, now)).toEqual([])
  },
)

test.each([
  ['missing in the journal', [], ['receipt:mpesa:A']],
  ['in another amount', [posted('receipt:mpesa:A', '1')], ['receipt:mpesa:A']],
  [
    'missing in the book',
    [posted('receipt:mpesa:A'), posted('receipt:mpesa:Z')],
    ['receipt:mpesa:Z'],
  ],
])('a receipt that is %s is reported as a difference', (_, journal, differing) => {
  expect(differencesOf([row('A'), later], [...journal, posted('receipt:mpesa:LAST')], now)).toEqual(
    differing,
  )
})

test.each([
  ['ten minutes ago is no difference, because it may be on its way', '2026-11-20T12:10:00Z', []],
  [
    'longer ago is a difference, even as the last one of the book',
    '2026-11-20T12:10:01Z',
    ['receipt:mpesa:LAST'],
  ],
])('a receipt that moved %s', (_, at, differing) => {
  expect(differencesOf([row('A'), later], [posted('receipt:mpesa:A')], Date.parse(at))).toEqual(
    differing,
  )
})

test('money that moved in another session of the simulator is no difference when it was posted with its amount', () => {
  const journal = [
    posted('receipt:mpesa:A'),
    posted('receipt:mpesa:G'),
    posted('receipt:mpesa:LAST'),
  ]
  const book = [row('A'), later]
  expect(differencesOf(book, journal, now, [row('G'), row('ELSEWHERE')])).toEqual([])
  expect(differencesOf(book, journal, now, [row('G', { amount: '1' })])).toEqual([
    'receipt:mpesa:G',
  ])
})
