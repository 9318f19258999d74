import { later } from '../../evidence/rules/state'
import { isWholePhone, type TillCandidate, tillAccountOf, tillCandidatesMax } from './till-payment'

const paidAt = 1_800_000_000_000_000
const payment = { phone: '254708374149', amountMinor: 50_000n, paidAt }

const checkout: TillCandidate = {
  ...{
    kind: 'checkout',
    id: 'cs_1',
    accountId: 'shop',
    account: 'cs_1',
    amountMinor: 50_000n,
  },
  ...{ since: later(paidAt, -600), until: later(paidAt, 1_200) },
  ...{ settledAt: null, checkoutPaidAt: null, isDeclined: false },
}
const prompt: TillCandidate = {
  ...checkout,
  ...{ kind: 'prompt', account: 'MABC1', since: later(paidAt, -30), until: later(paidAt, 570) },
}
const other = { ...checkout, id: 'cs_2', account: 'cs_2' }
/** A prompt of another shop, whose checkout was paid before. */
const elsewhere = {
  ...{ ...prompt, id: 'cs_3', accountId: 'another', account: 'MABC2' },
  checkoutPaidAt: paidAt - 1,
}

const accountOf = (candidates: readonly TillCandidate[], wholeMajorsOnly = false) =>
  tillAccountOf(payment, candidates, wholeMajorsOnly)

test.each<[string, readonly TillCandidate[], string]>([
  ['the only checkout of the payer', [checkout], 'cs_1'],
  ['the prompt of that checkout, where there is one', [checkout, prompt], 'MABC1'],
  [
    'the last prompt of a checkout with two prompts',
    [{ ...prompt, account: 'OLD', since: later(paidAt, -90) }, prompt],
    'MABC1',
  ],
  [
    'the prompt that was sent, where a later one was not sent',
    [prompt, { ...checkout, since: later(paidAt, -10) }],
    'MABC1',
  ],
  [
    'the one of two checkouts that has the amount',
    [checkout, { ...other, amountMinor: 1n }],
    'cs_1',
  ],
  [
    'the one of two checkouts that was not paid yet',
    [checkout, { ...other, checkoutPaidAt: paidAt - 1 }],
    'cs_1',
  ],
  [
    'the one of two checkouts that was open',
    [checkout, { ...other, until: later(paidAt, -121) }],
    'cs_1',
  ],
  [
    'the one of two checkouts that had begun',
    [checkout, { ...other, since: later(paidAt, 121) }],
    'cs_1',
  ],
  ['a checkout that other money has paid since', [{ ...checkout, checkoutPaidAt: paidAt }], 'cs_1'],
  [
    'a checkout, where a prompt of another checkout was declined and that checkout is paid',
    [checkout, { ...elsewhere, isDeclined: true }],
    'cs_1',
  ],
  [
    'a checkout, where a prompt of another, paid checkout is no longer on the phone',
    [checkout, { ...elsewhere, since: later(paidAt, -721) }],
    'cs_1',
  ],
  [
    'a checkout, where a prompt of another checkout was itself paid before',
    [checkout, { ...elsewhere, settledAt: paidAt - 1 }],
    'cs_1',
  ],
  [
    'a checkout that ended within the difference of clocks',
    [{ ...checkout, until: later(paidAt, -120) }],
    'cs_1',
  ],
])('a payment to a till is for %s', (_what, candidates, account) => {
  expect(accountOf(candidates)).toBe(account)
  expect(accountOf([...candidates].reverse())).toBe(account)
})

test.each<[string, readonly TillCandidate[]]>([
  ['nothing was asked of the payer', []],
  ['another amount was asked', [{ ...checkout, amountMinor: 50_001n }]],
  ['two checkouts fit', [checkout, other]],
  ['a prompt of one checkout and another checkout fit', [prompt, other]],
  [
    'an ended checkout of another shop asked for the same amount',
    [checkout, { ...other, accountId: 'another', until: later(paidAt, -121) }],
  ],
  [
    'two checkouts fit, of which one was paid only afterwards',
    [checkout, { ...other, checkoutPaidAt: paidAt }],
  ],
  ['a prompt of another, paid checkout is still on the phone', [checkout, elsewhere]],
  [
    'a prompt of another, paid checkout may still be on the phone by one of the two clocks',
    [checkout, { ...elsewhere, since: later(paidAt, -720) }],
  ],
  [
    'a prompt of another shop was declined and its checkout is not paid',
    [checkout, { ...elsewhere, checkoutPaidAt: null, isDeclined: true }],
  ],
  [
    'a prompt of another shop was declined and its checkout was paid only afterwards',
    [checkout, { ...elsewhere, checkoutPaidAt: paidAt, isDeclined: true }],
  ],
  [
    'a prompt of another, paid checkout was itself paid only afterwards',
    [checkout, { ...elsewhere, settledAt: paidAt }],
  ],
  [
    'there are more candidates than are read',
    Array.from({ length: tillCandidatesMax }, () => checkout),
  ],
])('a payment to a till is held where %s', (_what, candidates) => {
  expect(accountOf(candidates)).toBeUndefined()
})

test('a payment fits a checkout by its amount in whole shillings, and a prompt by the amount that the prompt asked for', () => {
  const cents = { ...checkout, amountMinor: 49_950n }
  expect([accountOf([cents], true), accountOf([cents])]).toEqual(['cs_1', undefined])
  expect(accountOf([{ ...prompt, amountMinor: 49_950n }], true)).toBeUndefined()
})

test.each([
  ['254708374149', true],
  ['2547 ***** 149', false],
  ['25470****149', false],
  ['a'.repeat(64), false],
  ['1'.repeat(64), false],
  [undefined, false],
])('the number %s proves a payer: %s', (phone, isWhole) => {
  expect(isWholePhone(phone)).toBe(isWhole)
})
