import {
  freezeUnconfirmed,
  type UnconfirmedPayment,
  type KnownReceipt,
  showRows,
} from './freeze-unconfirmed'

const payment: UnconfirmedPayment = {
  ...{ subject: 'mpesa:QK1', intentId: 'pi_1', holder: 'wallet:acc_1' },
  ...{ minor: 100n, holderMinor: 250n, isShown: false },
}
const credit = 'suspense:unconfirmed'
const [wallet, receivable] = ['wallet:acc_1', 'receivable:acc_1']

/** The legs of each freezing: number, account that it takes from, and amount. */
const legs = (...payments: readonly UnconfirmedPayment[]) =>
  freezeUnconfirmed(payments).map(({ transfers }) =>
    transfers.map(({ leg, debit, minor }) => [leg, debit, minor]),
  )

test('takes all of the payment from the wallet into suspense', () => {
  const eventKey = 'frozen:mpesa:QK1'
  expect(freezeUnconfirmed([payment])).toEqual([
    {
      subject: 'mpesa:QK1',
      transfers: [{ eventKey, leg: 0, debit: wallet, credit, minor: 100n }],
      suspense: { eventKey, intentId: 'pi_1', minor: 100n },
    },
  ])
})

test.each([
  ['the statement shows it since', { isShown: true }],
  ['it is held already', { holder: 'suspense:unconfirmed' }],
  ['it went back', { holder: null }],
])('takes nothing when %s', (_, changes) => {
  expect(freezeUnconfirmed([{ ...payment, ...changes }])).toEqual([])
})

test.each([
  [100n, [[0, wallet, 100n]]],
  [
    99n,
    [
      [0, wallet, 99n],
      [1, receivable, 1n],
    ],
  ],
  [0n, [[0, receivable, 100n]]],
  [-5n, [[0, receivable, 100n]]],
])('takes what a wallet with %p has, and its owner owes the rest', (holderMinor, expected) => {
  expect(legs({ ...payment, holderMinor })).toEqual([expected])
})

test('two payments of one wallet do not take the same money twice', () => {
  const second = { ...payment, subject: 'mpesa:QK2' }
  const other = { ...payment, subject: 'mpesa:QK3', holder: 'wallet:acc_2' }
  const [first, ...rest] = legs(
    ...[payment, second, other].map((one) => ({ ...one, holderMinor: 150n })),
  )
  expect(first).toEqual([[0, wallet, 100n]])
  expect(rest).toEqual([
    [
      [0, wallet, 50n],
      [1, receivable, 50n],
    ],
    [[0, 'wallet:acc_2', 100n]],
  ])
})

const held = 'suspense:unconfirmed'
const frozenLegs = [
  { leg: 0, debit: 'wallet:a', credit: held, minor: 300n },
  { leg: 1, debit: 'receivable:a', credit: held, minor: 200n },
]
const frozen = { holder: held, minor: 500n, legs: frozenLegs }
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
])(
  'reports an amount that is not the first, and unfreezes money of the first: one that %s',
  (_, receipt, decided) => {
    expect(showRows([shown], [receipt])).toMatchObject(decided)
  },
)

test('reports a receipt with two amounts once, and unfreezes its money once', () => {
  const rows = [shown, { ...shown, amountMinor: 400n }, { ...shown, amountMinor: 300n }]
  expect(showRows(rows, [known])).toEqual({ differing: ['R'], moves: back })
})
