import { refundStatuses } from '../../refunds/rules/refund'
import { place, placingRefusalOf } from './place-money'
import { held, placing, toCheckout, toWallet } from './placements.harness'

const frozenMoney = { holder: 'suspense:unconfirmed', minor: 50_000n }
const paid = { id: 'cs_1', amountMinor: 50_000n, isPaid: true }
const priced = (amountMinor: bigint) => ({ id: 'cs_1', amountMinor, isPaid: false })

test.each([
  ['a checkout of its amount', {}, toCheckout, undefined],
  [
    'a checkout that asks for it in whole shillings',
    { checkout: priced(49_901n) },
    toCheckout,
    undefined,
  ],
  ['a wallet', { checkout: undefined }, toWallet, undefined],
  ['money that never came', { money: undefined }, toCheckout, 'not_in_suspense'],
  ['money that went back', { money: { holder: null, minor: 1n } }, toCheckout, 'not_in_suspense'],
  [
    'money of a wallet',
    { money: { holder: 'wallet:a', minor: 1n } },
    toCheckout,
    'not_in_suspense',
  ],
  [
    'a checkout that does not exist',
    { checkout: undefined, wallet: undefined },
    toCheckout,
    'checkout_not_found',
  ],
  [
    'a wallet that does not exist',
    { checkout: undefined, wallet: undefined },
    toWallet,
    'wallet_not_open',
  ],
  ['a frozen wallet', { wallet: { accountId: 'a', isOpen: false } }, toCheckout, 'wallet_not_open'],
  ['frozen money', { money: frozenMoney }, toCheckout, 'still_unconfirmed'],
  [
    'frozen money, to a wallet',
    { money: frozenMoney, checkout: undefined },
    toWallet,
    'still_unconfirmed',
  ],
  ['a paid checkout', { checkout: paid }, toCheckout, 'checkout_paid'],
  [
    'money of a cent less than the checkout asked',
    { checkout: priced(50_001n) },
    toCheckout,
    'amount_differs',
  ],
  [
    'money of a shilling more than the checkout asked',
    { checkout: priced(49_900n) },
    toCheckout,
    'amount_differs',
  ],
  // Where two refusals apply, the first in the order of the rules is returned.
  [
    'frozen money, to a paid checkout',
    { money: frozenMoney, checkout: paid },
    toCheckout,
    'still_unconfirmed',
  ],
])(
  'only held money may be placed, and only with an owner that it fits: %s',
  (_, changes, owner, refusal) => {
    expect(placingRefusalOf(placing(changes), owner)).toBe(refusal)
  },
)

test('money can be placed when its refunds failed or were withdrawn, and not with any other refund', () => {
  const refusals = refundStatuses.map((status) => [
    status,
    placingRefusalOf(placing({ refunds: ['failed', status] }), toCheckout),
  ])
  const underway = 'refund_underway'
  expect(Object.fromEntries(refusals)).toEqual({
    ...{ asked: underway, approved: underway, submitted: underway, paid: underway },
    ...{ failed: undefined, withdrawn: undefined },
  })
})

test('placing credits all of the money to the owner’s wallet, with a completed intent', () => {
  const { transfers, intents, matched } = place(placing(), { newIntentId: 'pi_1' })
  expect(transfers).toEqual([
    {
      ...{ eventKey: 'placed:mpesa:QK1', leg: 0, minor: 50_000n, eventAt: 1_000_000 },
      ...{ debit: 'suspense:unmatched', credit: 'wallet:acc_1' },
    },
  ])
  expect(intents).toEqual([])
  expect(matched).toEqual({
    ...{ id: 'pi_1', checkoutId: 'cs_1', accountId: null, handle: null, rail: 'paybill' },
    ...{ phone: null, amountMinor: 50_000n, askedMinor: 50_000n, settledMinor: 50_000n },
    ...{ status: 'completed', event: 'matched', receipt: 'QK1', disposition: 'merchant' },
  })
})

test('the intent of money in whole shillings has the exact amount of the checkout beside the amount received', () => {
  const { matched } = place(placing({ checkout: priced(49_901n) }), { newIntentId: 'pi_1' })
  expect([matched.amountMinor, matched.askedMinor, matched.settledMinor]).toEqual([
    49_901n,
    50_000n,
    50_000n,
  ])
})

test('the attempt that brought the money is marked as placed, and the new intent has its phone and rail', () => {
  const { intents, matched } = place(placing({ held: [held] }), { newIntentId: 'pi_1' })
  expect(intents).toEqual([{ ...held, disposition: 'placed' }])
  expect(matched).toMatchObject({ rail: 'mpesa', phone: '254700000001', receipt: 'QK1' })
})

test.each([
  ['the handle that is given', { handle: 'duka' }, [], 'duka'],
  [
    'the handle that the payer paid, if the money came by an attempt',
    { handle: 'duka' },
    [{ ...held, handle: 'rent' }],
    'rent',
  ],
  ['"suspense" if there is none', {}, [], 'suspense'],
])('the handle of money that is placed with a wallet is %s', (_, given, brought, handle) => {
  const state = placing({ checkout: undefined, held: brought })
  const { matched } = place(state, { newIntentId: 'pi_1', ...given })
  expect(matched).toMatchObject({ checkoutId: null, accountId: 'acc_1', handle })
})

test.each([
  ['mtn_momo', 'mtn_momo'],
  ['airtel_money', 'airtel_money'],
  ['card', 'card'],
])('money of %s that no attempt brought gets an intent on the rail %s', (provider, rail) => {
  expect(place(placing({ provider }), { newIntentId: 'pi_1' }).matched.rail).toBe(rail)
})

test('refuses to place money that was never received', () => {
  const nowhere = placing({ money: { holder: null, minor: 1n } })
  expect(() => place(nowhere, { newIntentId: 'pi_1' })).toThrow('cannot be placed')
})
