import { z } from 'zod'
import { readJsonBody } from './json-body'

const schema = z.strictObject({
  amount: z.int().min(1, 'must be at least 1'),
  note: z.string().optional(),
})
const json = 'application/json'
const read = (text: string, contentType: string | undefined = json, contentEncoding?: string) =>
  readJsonBody(schema, { contentType, contentEncoding, bytes: Buffer.from(text) })

const refusal = (...paths: string[]) =>
  expect.objectContaining({
    reason: 'invalid_request',
    fields: paths.map((path) => expect.objectContaining({ path })),
  })

test.each([
  json,
  'APPLICATION/JSON',
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
])('reads a body of type %s', (contentType) => {
  expect(read('{"amount":5}', contentType)).toEqual({ amount: 5 })
})

test.each([
  '',
  'text/plain',
  'application/jsonp',
  'application/json; charset=utf-7',
  'application/json; charset=latin1',
  'application/json, text/plain',
  'application/x-www-form-urlencoded',
])('refuses a body of type %j', (contentType) => {
  expect(() => read('{"amount":5}', contentType)).toThrow(refusal('Content-Type'))
})

test('refuses a body without a type', () => {
  const bytes = Buffer.from('{"amount":5}')
  expect(() =>
    readJsonBody(schema, { contentType: undefined, contentEncoding: undefined, bytes }),
  ).toThrow(refusal('Content-Type'))
})

test('refuses a body with the Content-Encoding gzip, and takes one with identity', () => {
  expect(() => read('{"amount":5}', json, 'gzip')).toThrow(refusal('Content-Encoding'))
  expect(read('{"amount":5}', json, 'identity')).toEqual({ amount: 5 })
})

test('names every field that is wrong', () => {
  expect(() => read('{"amount":0,"note":7,"colour":"red","__proto__":1}')).toThrow(
    refusal('amount', 'note', 'colour', '__proto__'),
  )
})

test('says of a missing field that it is required', () => {
  expect(() => read('{}')).toThrow(
    expect.objectContaining({ fields: [{ path: 'amount', message: 'is required' }] }),
  )
})

test.each<[unknown, string]>([
  ['500', 'must be an integer, not text'],
  [null, 'must be an integer, not null'],
  [[5], 'must be an integer, not a list'],
  [{}, 'must be an integer, not an object'],
  [true, 'must be an integer, not true or false'],
])('the refusal says what a field must be and what %j is', (amount, message) => {
  expect(() => read(JSON.stringify({ amount }))).toThrow(
    expect.objectContaining({ fields: [{ path: 'amount', message }] }),
  )
})

test('names twenty of a thousand unknown fields, each cut to 64 characters', () => {
  const body = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, index) => [`${'x'.repeat(99)}${String(index)}`, 1]),
  )
  const read1000 = () => read(JSON.stringify({ amount: 1, ...body }))
  expect(read1000).toThrow(refusal(...Array<string>(20).fill('x'.repeat(64))))
})
