import { askedMinorOf } from './asked-minor'

test.each([
  [50_000n, true, 50_000n],
  [50_001n, true, 50_100n],
  [50_099n, true, 50_100n],
  [50_001n, false, 50_001n],
])(
  'an amount of %s cents, when only whole shillings are taken is %s, is requested as %s',
  (amount, whole, asked) => {
    expect(askedMinorOf(amount, whole)).toBe(asked)
  },
)
