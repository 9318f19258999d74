import { type KnownReceipt, showRows } from './show-rows'

const held = 'suspense:unconfirmed'
const legs = [
  { leg: 0, debit: 'wallet:a', credit: held, minor: 300n },
  { leg: 1, debit: 'receivable:a', credit: held, minor: 200n },
]
const frozen = { holder: held, minor: 500n, legs }
const shown = { receipt: 'R', amountMinor: 500n }
const known: KnownReceipt = { receipt: 'R', firstMinor: 500n, frozen }
const back = [
  { eventKey: 'placed:mpesa:R', leg: 0, debit: held, credit: 'wallet:a', minor: 300n },
  { eventKey: 'placed:mpesa:R', leg: 1, debit: held, credit: 'receivable:a', minor: 200n },
]

test.each<[string, KnownReceipt, object]>([
  ['was never frozen', { ...known, frozen: undefined }, { differing: [], moves: [] }],
  ['was frozen of this amount', known, { differing: [], moves: back }],
  ['went back', { ...known, frozen: { ...frozen, holder: null } }, { moves: [] }],
  ['was given back before', { ...known, frozen: { ...frozen, holder: 'wallet:a' } }, { moves: [] }],
  [
    'was held for another reason',
    { ...known, frozen: { ...frozen, holder: 'suspense:unmatched' } },
    { moves: [] },
  ],
  ['was frozen of another amount', { ...known, frozen: { ...frozen, minor: 501n } }, { moves: [] }],
  [
    'was shown with another amount first',
    { ...known, firstMinor: 400n },
    { differing: ['R'], moves: [] },
  ],
  [
    'was shown with the frozen amount first, and is with another now',
    { ...known, firstMinor: 501n, frozen: { ...frozen, minor: 501n } },
    { differing: ['R'], moves: back },
  ],
])('decides whether a row contradicts or unfreezes, when its receipt %s', (_, receipt, decided) => {
  expect(showRows([shown], [receipt])).toMatchObject(decided)
})

test('reports a receipt with two amounts once, and unfreezes its money once', () => {
  const rows = [shown, { ...shown, amountMinor: 400n }, { ...shown, amountMinor: 300n }]
  expect(showRows(rows, [known])).toEqual({ differing: ['R'], moves: back })
})
