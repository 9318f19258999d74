import { Fault } from '@malipo/kernel/errors'
import fc from 'fast-check'
import { type Json, parseStrictJson } from './strict-json'

/** The outcome for these bytes: an object, or a refusal of the interface. Any other error fails the test. */
async function outcomeOf(bytes: Uint8Array): Promise<{ object: unknown } | { refused: unknown }> {
  const reading = Promise.resolve(bytes).then(parseStrictJson)
  return reading.then(
    (object) => ({ object }),
    (error: unknown) => {
      if (error instanceof Fault && error.reason === 'invalid_request')
        return { refused: error.fields }
      throw error
    },
  )
}

const bytesOf = (text: string) => Buffer.from(text, 'utf8')
const hex = (digits: string) => Buffer.from(digits, 'hex')

test.each<[string, string, Json]>([
  ['an empty object', '{}', {}],
  ['white space everywhere', ' \n{ "a" : [ 1 , 2 ] , "b" : { } }\t\r\n', { a: [1, 2], b: {} }],
  [
    'every kind of value',
    '{"a":"x","b":-7,"c":true,"d":false,"e":null,"f":0}',
    { a: 'x', b: -7, c: true, d: false, e: null, f: 0 },
  ],
  ['the largest safe number', '{"a":9007199254740991}', { a: 9007199254740991 }],
  ['escapes', String.raw`{"a":"\"\\\/é\ud83d\ude00"}`, { a: '"\\/é😀' }],
  ['four levels', '{"a":{"b":{"c":[]}}}', { a: { b: { c: [] } } }],
])('reads %s', async (_, text, expected) => {
  const outcome = await outcomeOf(bytesOf(text))
  expect(JSON.parse(JSON.stringify(outcome))).toEqual({ object: expected })
})

test.each([
  ['nothing', '', 'body'],
  ['white space only', ' \n', 'body'],
  ['an array', '[1]', 'body'],
  ['a string', '"a"', 'body'],
  ['null', 'null', 'body'],
  ['a byte order mark', '\ufeff{}', 'body'],
  ['two objects', '{}{}', 'body'],
  ['an object cut off', '{"a":1', 'body'],
  ['a trailing comma', '{"a":1,}', 'body'],
  ['a missing comma', '{"a":1 "b":2}', 'body'],
  ['a missing colon', '{"a" 1}', 'a'],
  ['a missing value', '{"a":}', 'a'],
  ['a key without quotes', '{a:1}', 'body'],
  ['single quotes', "{'a':1}", 'body'],
  ['a comment', '{"a":1/**/}', 'body'],
  ['a key twice', '{"a":1,"a":2}', 'a'],
  ['a key twice, once in escapes', String.raw`{"a":1,"\u0061":2}`, 'a'],
  ['a key twice inside', '{"a":{"b":1,"b":2}}', 'a.b'],
  ['a fraction', '{"a":1.5}', 'a'],
  ['a fraction of nothing', '{"a":1.0}', 'a'],
  ['an exponent', '{"a":1e3}', 'a'],
  ['a huge exponent', '{"a":1e21}', 'a'],
  ['minus zero', '{"a":-0}', 'a'],
  ['a leading zero', '{"a":01}', 'a'],
  ['a plus sign', '{"a":+1}', 'a'],
  ['2^53', '{"a":9007199254740992}', 'a'],
  ['2^53 + 1, which a double would round', '{"a":9007199254740993}', 'a'],
  ['thirty digits', `{"a":${'9'.repeat(30)}}`, 'a'],
  ['NaN', '{"a":NaN}', 'a'],
  ['a NUL', String.raw`{"a":"x\u0000"}`, 'a'],
  ['a NUL in a key', String.raw`{"a\u0000":1}`, 'body'],
  ['a line break', String.raw`{"a":"x\ny"}`, 'a'],
  ['a raw line break', '{"a":"x\ny"}', 'a'],
  ['DEL', '{"a":"\u007f"}', 'a'],
  ['half of a surrogate pair', String.raw`{"a":"\ud800"}`, 'a'],
  ['the other half', String.raw`{"a":["x","\udc00"]}`, 'a.1'],
  ['an unknown escape', String.raw`{"a":"\x41"}`, 'a'],
  ['a string without an end', '{"a":"x}', 'a'],
  ['five levels', '{"a":{"b":{"c":[[]]}}}', 'a.b.c.0'],
  ['a bomb of brackets', `{"a":${'['.repeat(5_000)}}`, 'a.0.0.0'],
])('refuses %s', async (_, text, path) => {
  expect(await outcomeOf(bytesOf(text))).toEqual({
    refused: [{ path, message: expect.any(String) }],
  })
})

test('reads tabs and line breaks in a field that may have lines, and refuses other control characters there', () => {
  const read = (text: string) => parseStrictJson(bytesOf(text), ['a'])
  expect(Object.entries(read(String.raw`{"a":"\tx\r\ny"}`))).toEqual([['a', '\tx\r\ny']])
  for (const text of [String.raw`{"a":"\n\u0000"}`, String.raw`{"b":"\n"}`, '{"a":"x\ny"}']) {
    expect(() => read(text)).toThrow('invalid_request')
  }
})

test.each([
  ['a byte that begins nothing', hex('7b2261223a22ff227d')],
  ['a character written too long', hex('7b2261223a22c080227d')],
  ['half of a surrogate pair as bytes', hex('7b2261223a22eda080227d')],
  ['a character cut off', hex('7b2261223a22e282227d')],
  ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
])('refuses invalid UTF-8: %s', async (_, bytes) => {
  expect(await outcomeOf(bytes)).toHaveProperty('refused')
})

test('reads __proto__ as a field like any other, so that the schema can refuse it', () => {
  const object = parseStrictJson(bytesOf('{"__proto__":{"polluted":true}}'))
  expect(Object.keys(object)).toEqual(['__proto__'])
  expect(Object.getPrototypeOf(object)).toBeNull()
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

const plainText = fc
  .string({ unit: 'binary' })
  .filter((text) => !/[\u0000-\u001f\u007f]/.test(text) && text !== '__proto__')
const scalar = fc.oneof(
  plainText,
  fc.maxSafeInteger().filter((number) => !Object.is(number, -0)),
  fc.boolean(),
  fc.constant(null),
)
const flatObject = fc.dictionary(
  plainText,
  fc.oneof(scalar, fc.array(scalar), fc.dictionary(plainText, scalar)),
)

test('reads every plain object as JSON.parse reads it', () => {
  fc.assert(
    fc.property(flatObject, fc.constantFrom(undefined, 2), (object, indent) => {
      const text = JSON.stringify(object, null, indent)
      expect(JSON.stringify(parseStrictJson(bytesOf(text)))).toBe(JSON.stringify(JSON.parse(text)))
    }),
    { numRuns: 2_000 },
  )
})

test('any bytes are refused, or read as JSON.parse reads them', async () => {
  const damaged = fc
    .tuple(flatObject, fc.nat(), fc.uint8Array({ maxLength: 3 }), fc.nat({ max: 3 }))
    .map(([object, at, inserted, removed]) => {
      const bytes = bytesOf(JSON.stringify(object))
      const index = at % bytes.length
      return Buffer.concat([bytes.subarray(0, index), inserted, bytes.subarray(index + removed)])
    })
  await fc.assert(
    fc.asyncProperty(fc.oneof(damaged, fc.uint8Array()), async (bytes) => {
      const outcome = await outcomeOf(bytes)
      if ('refused' in outcome) return
      const text = Buffer.from(bytes).toString('utf8')
      expect(JSON.stringify(outcome.object)).toBe(JSON.stringify(JSON.parse(text)))
    }),
    { numRuns: 20_000 },
  )
})
