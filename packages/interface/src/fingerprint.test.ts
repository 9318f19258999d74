import { fingerprintOf } from './fingerprint'

test('is 32 bytes, the same for the same input in any order', () => {
  const fingerprint = fingerprintOf({ amount: 100, reference: 'a' })
  expect(fingerprint).toHaveLength(32)
  expect(fingerprintOf({ reference: 'a', amount: 100 })).toEqual(fingerprint)
})

test('an absent field is no field', () => {
  expect(fingerprintOf({ amount: 100, phone: undefined })).toEqual(fingerprintOf({ amount: 100 }))
})

test.each([
  ['another value', { amount: 101 }],
  ['another type', { amount: '100' }],
  ['another name', { total: 100 }],
  ['one field more', { amount: 100, reference: '' }],
])('differs for %s', (_, other) => {
  expect(fingerprintOf(other)).not.toEqual(fingerprintOf({ amount: 100 }))
})
