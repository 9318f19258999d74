import { payBillVerdict } from './pay-bill'

const open = { askedMinor: 50_000n, isWalletOpen: true, isPaid: false }

test.each([
  ['the exact amount', open, 50_000n, 'accepted'],
  ['row 52: less', open, 49_999n, 'wrong_amount'],
  ['row 52: more', open, 50_001n, 'wrong_amount'],
  ['row 50: an account that is paid', { ...open, isPaid: true }, 50_000n, 'unknown_account'],
  ['a frozen wallet', { ...open, isWalletOpen: false }, 50_000n, 'unknown_account'],
  ['row 54: an unknown account', undefined, 50_000n, 'unknown_account'],
])('%s', (_, target, amountMinor, verdict) => {
  expect(payBillVerdict(target, { amountMinor, isWithinLimits: true })).toBe(verdict)
})

test.each([
  ['within the limits', true, 'accepted'],
  ['outside the limits', false, 'wrong_amount'],
])('a payment to a handle with an amount %s (%p) is %s', (_, isWithinLimits, verdict) => {
  const handle = { ...open, askedMinor: undefined }
  expect(payBillVerdict(handle, { amountMinor: 12_345n, isWithinLimits })).toBe(verdict)
})
