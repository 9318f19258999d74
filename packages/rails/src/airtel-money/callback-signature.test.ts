import { recorded } from './recorded.harness'
import { checkSignature } from './callback-signature'

const key = 'callback-key'

test.each([
  ['callback-success-signed', 'right'],
  ['callback-success-wrong-signature', 'wrong'],
  ['callback-success', 'absent'],
  ['callback-malformed-cut-off', 'absent'],
])('the signature of %s is %s', (name, signature) => {
  expect(checkSignature(recorded(name).body, key)).toBe(signature)
})

test('a signature cannot be checked without a key', () => {
  expect(checkSignature(recorded('callback-success-signed').body, undefined)).toBe('absent')
})

test('a signature made over other words is wrong', () => {
  const body = recorded('callback-success-signed').body.toString().replace('"TS"', '"TF"')
  expect(checkSignature(Buffer.from(body), key)).toBe('wrong')
})

test.each(['', 'AAAA', '%'])('"%s" for a hash is wrong, and no fault', (hash) => {
  expect(checkSignature(Buffer.from(JSON.stringify({ transaction: {}, hash })), key)).toBe('wrong')
})
