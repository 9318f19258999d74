import { intentStatuses } from '../../intents/rules/intent'
import { giveBack } from './give-back'
import { inWallet, now, paidIntent, stateOf } from './refunds.harness'

const legsOf = (money: Partial<typeof inWallet> | object) =>
  giveBack(stateOf({ money: { ...inWallet, ...money } })).transfers.map(
    ({ leg, debit, minor }) => [leg, debit, minor] as const,
  )

test('a refund is posted from the wallet to the float, once, at the time of the load', () => {
  expect(giveBack(stateOf()).transfers).toEqual([
    {
      ...{ eventKey: 'refunded:mpesa:R1', leg: 0, minor: 50_000n, eventAt: now },
      ...{ debit: 'wallet:acc_1', credit: 'float:mpesa' },
    },
  ])
})

test('a refund takes what the wallet has, and its owner owes the rest', () => {
  const owed = (minor: bigint, leg = 1) => [leg, 'receivable:acc_1', minor]
  expect(legsOf({ holderMinor: 50_000n })).toEqual([[0, 'wallet:acc_1', 50_000n]])
  expect(legsOf({ holderMinor: 49_999n })).toEqual([[0, 'wallet:acc_1', 49_999n], owed(1n)])
  expect(legsOf({ holderMinor: 0n })).toEqual([owed(50_000n, 0)])
  expect(legsOf({ holderMinor: -5n })).toEqual([owed(50_000n, 0)])
})

test('a refund of held money takes all of it from suspense', () => {
  expect(legsOf({ holder: 'suspense:unmatched', holderMinor: 0n })).toEqual([
    [0, 'suspense:unmatched', 50_000n],
  ])
})

test('the fee of a card refund is posted from our fee account, as the last leg', () => {
  expect(legsOf({ holderMinor: 20_000n, feeMinor: 1_800n })).toEqual([
    [0, 'wallet:acc_1', 20_000n],
    [1, 'receivable:acc_1', 30_000n],
    [2, 'fee:card', 1_800n],
  ])
})

test.each([
  ['went back before', { ...inWallet, holder: null }],
  ['never came', undefined],
])('a refund of money that %s is refused', (_, money) => {
  expect(() => giveBack(stateOf({ money }))).toThrow(/the money of mpesa:R1 is in no account/)
})

test.each([
  ['merchant', 'merchant'],
  ['suspense_duplicate', 'refunded'],
  ['suspense_mismatch', 'refunded'],
] as const)('a completed intent with the disposition %s is reversed as %s', (disposition, next) => {
  const intent = { ...paidIntent, disposition }
  expect(giveBack(stateOf({ intents: [intent] })).intents).toEqual([
    { ...intent, status: 'reversed', event: 'reversed', disposition: next },
  ])
})

test('only a completed intent that still has the money is reversed', () => {
  const placed = { ...paidIntent, disposition: 'placed' as const }
  const unpaid = { ...paidIntent, disposition: null }
  const others = intentStatuses.filter((status) => status !== 'completed')
  const intents = [placed, unpaid, ...others.map((status) => ({ ...paidIntent, status }))]
  expect(giveBack(stateOf({ intents })).intents).toEqual([])
})
