import { recorded } from './recorded.harness'
import { checkSignature } from './callback-signature'

const key = 'callback-key'

test.each([
  ['callback-success-signed', 'right'],
  ['callback-success-wrong-signature', 'wrong'],
  ['callback-success', 'absent'],
  ['callback-malformed-cut-off', 'absent'],
])('the signature of %s is %s', (name, expected) => {
  expect(checkSignature(recorded(name).body, key)).toBe(expected)
})

test('the signature counts as absent without a key', () => {
  expect(checkSignature(recorded('callback-success-signed').body, undefined)).toBe('absent')
})

test('the signature of a changed callback is wrong', () => {
  const body = recorded('callback-success-signed').body.toString().replace('"TS"', '"TF"')
  expect(checkSignature(Buffer.from(body), key)).toBe('wrong')
})

test.each(['', 'AAAA', '%'])('the hash "%s" is wrong and throws nothing', (hash) => {
  expect(checkSignature(Buffer.from(JSON.stringify({ transaction: {}, hash })), key)).toBe('wrong')
})
