import fc from 'fast-check'
import { fingerprintOf } from './fingerprint'

test('a fingerprint is 32 bytes, the same for the same input in any order', () => {
  const fingerprint = fingerprintOf({ amount: 100, reference: 'a' })
  expect(fingerprint).toHaveLength(32)
  expect(fingerprintOf({ reference: 'a', amount: 100 })).toEqual(fingerprint)
})

test('a field that is undefined does not change the fingerprint', () => {
  expect(fingerprintOf({ amount: 100, phone: undefined })).toEqual(fingerprintOf({ amount: 100 }))
})

test.each([
  ['another value', { amount: 101 }],
  ['another type', { amount: '100' }],
  ['another name', { total: 100 }],
  ['one field more', { amount: 100, reference: '' }],
])('the fingerprint differs for an input with %s', (_, other) => {
  expect(fingerprintOf(other)).not.toEqual(fingerprintOf({ amount: 100 }))
})

/** Few letters and short texts, so that two inputs are often equal, or would be if names and values were joined. */
const inputs = fc.dictionary(
  fc.constantFrom('a', 'b', 'ab', 'c'),
  fc.oneof(
    fc.string({ unit: fc.constantFrom(...Array.from('ab1",:')), maxLength: 2 }),
    fc.integer({ min: 0, max: 2 }),
    fc.constant(undefined),
  ),
)

test('a fingerprint is the same in every order of the names', () => {
  const orders = inputs.chain((input) => {
    const entries = Object.entries(input)
    return fc.tuple(
      fc.constant(input),
      fc.shuffledSubarray(entries, { minLength: entries.length }).map(Object.fromEntries),
    )
  })
  fc.assert(
    fc.property(orders, ([input, reordered]) => {
      expect(fingerprintOf(reordered)).toEqual(fingerprintOf(input))
    }),
    { numRuns: 200 },
  )
})

test('two inputs share a fingerprint exactly when each name has the same value in both', () => {
  const names = ['a', 'b', 'ab', 'c']
  fc.assert(
    fc.property(inputs, inputs, (one, other) => {
      const isSame = names.every((name) => one[name] === other[name])
      expect(fingerprintOf(one).equals(fingerprintOf(other))).toBe(isSame)
    }),
    { numRuns: 2_000 },
  )
})

test('a letter that moves from one field to the next changes the fingerprint', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1, unit: 'grapheme-ascii' }), (one, next) => {
      const moved = { reference: one + next.slice(0, 1), description: next.slice(1) }
      expect(fingerprintOf(moved)).not.toEqual(fingerprintOf({ reference: one, description: next }))
    }),
  )
})

test('a fingerprint changes when any field has another value or is left out', () => {
  const body = { amount: 100, reference: 'order-1', description: 'tea', phone: '254712345678' }
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(body)), fc.string(), (name, value) => {
      expect(fingerprintOf({ ...body, [name]: `${value}x` })).not.toEqual(fingerprintOf(body))
      expect(fingerprintOf({ ...body, [name]: undefined })).not.toEqual(fingerprintOf(body))
    }),
  )
})
