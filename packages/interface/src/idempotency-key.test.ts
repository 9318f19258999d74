import { readIdempotencyKey, requireIdempotencyKey } from './idempotency-key'

const header = (...values: string[]) => values.flatMap((value) => ['Idempotency-Key', value])

test.each([
  ['one character', 'a', 'a'],
  ['128 characters', 'k'.repeat(128), 'k'.repeat(128)],
  ['any visible ASCII', "!#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", "!#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"],
  ['quotes around it, which are dropped', '"order-7"', 'order-7'],
  ['128 characters in quotes', `"${'k'.repeat(128)}"`, 'k'.repeat(128)],
  ['one pair of quotes of two', '""a""', '"a"'],
  ['a quote on one side', '"a', '"a'],
])('takes %s', (_, value, key) => {
  expect(readIdempotencyKey(header(value))).toBe(key)
})

test.each([
  ['nothing', ['']],
  ['nothing in quotes', ['""']],
  ['129 characters', ['k'.repeat(129)]],
  ['a space', ['a b']],
  ['a tab', ['a\tb']],
  ['a letter outside ASCII', ['é']],
  ['two headers', ['a', 'b']],
  ['two equal headers', ['a', 'a']],
])('refuses %s', (_, values) => {
  expect(() => readIdempotencyKey(header(...values))).toThrow(
    expect.objectContaining({
      reason: 'invalid_request',
      fields: [expect.objectContaining({ path: 'Idempotency-Key' })],
    }),
  )
})

test('finds the header by its name in any case, and never by a value', () => {
  expect(readIdempotencyKey(['Host', 'idempotency-key', 'IDEMPOTENCY-key', 'k'])).toBe('k')
  expect(readIdempotencyKey(['X-Note', 'Idempotency-Key', 'Host', 'x'])).toBeUndefined()
})

test('accepts a request without an Idempotency-Key only where the key is optional', () => {
  expect(readIdempotencyKey([])).toBeUndefined()
  expect(() => requireIdempotencyKey([])).toThrow(
    expect.objectContaining({ reason: 'invalid_request' }),
  )
})
