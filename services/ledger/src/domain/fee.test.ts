import fc from 'fast-check'
import { cardTerms } from './fee'

test.each([
  // amount, basis points, fee, total
  [10_000n, 350n, 400n, 10_400n],
  [100_000n, 350n, 3_500n, 103_500n],
  [100_100n, 350n, 3_600n, 103_700n],
  [100n, 350n, 100n, 200n],
  [15_000_000n, 350n, 525_000n, 15_525_000n],
  [10_000n, 1n, 100n, 10_100n],
])('%s at %s basis points: a fee of %s, in all %s', (amountMinor, feeBps, feeMinor, totalMinor) => {
  expect(cardTerms(amountMinor, feeBps)).toEqual({ feeMinor, totalMinor })
})

test.each([50n, 150n, 99_999n])('a card cannot pay %s, which has cents', (amountMinor) => {
  expect(cardTerms(amountMinor, 350n)).toBeUndefined()
})

test('the fee is whole, covers the share, and is less than one major unit above it', () => {
  const major = fc.bigInt({ min: 1n, max: 5_000_000n })
  const bps = fc.bigInt({ min: 1n, max: 10_000n })
  fc.assert(
    fc.property(major, bps, (amountMajor, feeBps) => {
      const amountMinor = amountMajor * 100n
      const terms = cardTerms(amountMinor, feeBps)
      if (terms === undefined) throw new Error('a whole amount has terms')
      const share = amountMinor * feeBps
      expect(terms.feeMinor % 100n).toBe(0n)
      expect(terms.feeMinor * 10_000n).toBeGreaterThanOrEqual(share)
      expect((terms.feeMinor - 100n) * 10_000n).toBeLessThan(share)
      expect(terms.totalMinor).toBe(amountMinor + terms.feeMinor)
    }),
  )
})
