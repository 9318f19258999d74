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

/** The legs of each freezing: the number of the leg, the debited account and the amount. */
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
  ['the statement has shown the payment since', { isShown: true }],
  ['the payment is frozen already', { holder: 'suspense:unconfirmed' }],
  ['its money went back', { holder: null }],
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
  [
    'that was never frozen moves nothing',
    { ...known, frozen: undefined },
    { differing: [], moves: [] },
  ],
  ['of the frozen amount gives the money back', known, { differing: [], moves: back }],
  [
    'whose money went back moves nothing',
    { ...known, frozen: { ...frozen, holder: null } },
    { moves: [] },
  ],
  [
    'whose money was unfrozen before moves nothing',
    { ...known, frozen: { ...frozen, holder: 'wallet:a' } },
    { moves: [] },
  ],
  [
    'whose money is held for another reason moves nothing',
    { ...known, frozen: { ...frozen, holder: 'suspense:unmatched' } },
    { moves: [] },
  ],
  [
    'of another amount than was frozen moves nothing',
    { ...known, frozen: { ...frozen, minor: 501n } },
    { moves: [] },
  ],
  [
    'of another amount than was shown first is reported, and moves nothing if the first was not the frozen one',
    { ...known, firstMinor: 400n },
    { differing: ['R'], moves: [] },
  ],
  [
    'of another amount than was shown first is reported, and gives the money back if the first was the frozen one',
    { ...known, firstMinor: 501n, frozen: { ...frozen, minor: 501n } },
    { differing: ['R'], moves: back },
  ],
])('a statement row %s', (_, receipt, decided) => {
  expect(showRows([shown], [receipt])).toMatchObject(decided)
})

test('reports a receipt with two amounts once, and unfreezes its money once', () => {
  const rows = [shown, { ...shown, amountMinor: 400n }, { ...shown, amountMinor: 300n }]
  expect(showRows(rows, [known])).toEqual({ differing: ['R'], moves: back })
})
