import { recorded } from './recorded.harness'
import { checkSeal } from './seal'

const key = 'callback-key'

test.each([
  ['callback-success-sealed', 'right'],
  ['callback-success-wrong-seal', 'wrong'],
  ['callback-success', 'absent'],
  ['callback-malformed-cut-off', 'absent'],
])('the seal of %s is %s', (name, seal) => {
  expect(checkSeal(recorded(name).body, key)).toBe(seal)
})

test('a seal cannot be checked without a key', () => {
  expect(checkSeal(recorded('callback-success-sealed').body, undefined)).toBe('absent')
})

test('a seal made over other words is wrong', () => {
  const body = recorded('callback-success-sealed').body.toString().replace('"TS"', '"TF"')
  expect(checkSeal(Buffer.from(body), key)).toBe('wrong')
})

test.each(['', 'AAAA', '%'])('"%s" for a hash is wrong, and no fault', (hash) => {
  expect(checkSeal(Buffer.from(JSON.stringify({ transaction: {}, hash })), key)).toBe('wrong')
})
