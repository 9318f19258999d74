import { createHash } from 'node:crypto'
import { countries } from '@malipo/kernel/countries'
import { readBaseline } from './baseline.harness'
import { breakingChanges, type OpenApi, type Schema } from './breaking-changes.harness'
import { openApiDocument } from './document'

const hosts = { baseUrl: 'https://pay.example', authUrl: 'https://auth.example' }

test.each(Object.values(countries))(
  'the current document breaks no client of version 1 in $country',
  (rules) => {
    const document = openApiDocument({ rules, ...hosts }) as unknown as OpenApi
    expect(breakingChanges(readBaseline(rules.country), document)).toEqual([])
  },
)

test('the baseline is unchanged, because what breaks its clients needs a second version of the interface', () => {
  const baselines = ['ke', 'ug'].map((country) => JSON.stringify(readBaseline(country)))
  const digest = createHash('sha256').update(baselines.join('\n')).digest('hex')
  expect(digest).toBe('7fc3e5d7f9b39444681130939efaa9b3248b22af00e6cfab81c10742af9db200')
})

const money = { type: 'string', pattern: '^[0-9]+$' }
const sent = {
  type: 'object',
  properties: { amount: { type: 'integer', minimum: 1 }, rail: { enum: ['one', 'two'] } },
  required: ['amount'],
}
const answered = {
  type: 'object',
  properties: {
    total: { $ref: '#/components/schemas/Money' },
    status: { enum: ['open', 'paid'] },
    parts: {
      type: 'array',
      items: { anyOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }] },
    },
  },
  required: ['total'],
  additionalProperties: false,
}
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }

interface Parts {
  readonly request?: Schema
  readonly response?: Schema
  readonly status?: string
  readonly path?: string
  readonly method?: string
  readonly parameters?: object[]
  readonly headers?: object
  readonly security?: object[]
  readonly money?: Schema
}
const unchanged = {
  request: sent,
  response: answered,
  status: '200',
  path: '/pay',
  method: 'post',
  parameters: [id],
  headers: { RateLimit: {} },
  security: [],
  money,
}

function documentOf(parts: Parts = {}): OpenApi {
  const given = { ...unchanged, ...parts }
  const json = (schema: Schema) => ({ content: { 'application/json': { schema } } })
  const { security, parameters, headers } = given
  const operation = {
    security,
    parameters,
    requestBody: json(given.request),
    responses: { [given.status]: { headers, ...json(given.response) } },
  }
  return {
    paths: { [given.path]: { [given.method]: operation } },
    components: { schemas: { Money: given.money } },
  }
}

const request = (properties: Record<string, Schema>, required = ['amount']) => ({
  request: { ...sent, properties: { ...sent.properties, ...properties }, required },
})
const response = (properties: Record<string, Schema>, required = ['total']) => ({
  response: { ...answered, properties: { ...answered.properties, ...properties }, required },
})
const { status: _, ...withoutStatus } = answered.properties

test.each<[string, Parts, string]>([
  ['a path', { path: '/charge' }, 'is removed'],
  ['an operation', { method: 'put' }, 'is removed'],
  ['its authentication', { security: [{ secretKey: [] }] }, 'its authentication is changed'],
  ['a status', { status: '201' }, 'answer 200 is removed'],
  ['a header of an answer', { headers: {} }, 'header RateLimit is removed'],
  ['a parameter', { parameters: [] }, 'path id is removed'],
  [
    'a new required parameter',
    { parameters: [id, { ...id, name: 'key', in: 'header' }] },
    'header key is required now',
  ],
  ['a new required property', request({ phone: {} }, ['amount', 'phone']), 'request.phone is new'],
  ['a property that is required now', request({}, ['amount', 'rail']), 'rail is required now'],
  ['a type', request({ amount: { type: 'string' } }), 'request.amount: type is string'],
  ['a tighter bound', request({ amount: { type: 'integer', minimum: 2 } }), 'minimum is 2'],
  ['a value that is refused', request({ rail: { enum: ['one'] } }), 'request.rail: two is refused'],
  [
    'a property that is removed',
    { response: { ...answered, properties: withoutStatus } },
    'answer 200.status is removed',
  ],
  ['a property that is new in an answer', response({ phone: {} }), 'answer 200.phone is new'],
  ['a property that may be absent', response({}, []), 'answer 200.total may be absent now'],
  [
    'a value that is new',
    response({ status: { enum: ['open', 'paid', 'late'] } }),
    'late is a new value',
  ],
  ['values without a list', response({ status: {} }), 'its values are no more listed'],
  [
    'what a reference leads to',
    { money: { type: 'integer' } },
    'answer 200.total: type is integer',
  ],
  [
    'a looser bound in an alternative',
    response({
      parts: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
    }),
    'answer 200.parts[]: maxLength is undefined',
  ],
  [
    'an alternative',
    response({ parts: { type: 'array', items: { anyOf: [{ type: 'string', maxLength: 3 }] } } }),
    'answer 200.parts[] has other alternatives',
  ],
])('reports as a breaking change: %s', (_what, changed, sentence) => {
  const found = breakingChanges(documentOf(), documentOf(changed))
  expect(found).toContainEqual(expect.stringContaining(sentence))
})

test.each<[string, Parts]>([
  ['nothing', {}],
  ['a property that may be sent', request({ note: { type: 'string' } })],
  ['one more value that may be sent', request({ rail: { enum: ['one', 'two', 'three'] } })],
  ['a looser bound', request({ amount: { type: 'integer' } })],
  ['fewer values in an answer', response({ status: { enum: ['open'] } })],
  ['an optional parameter', { parameters: [id, { ...id, name: 'key', required: false }] }],
])('reports no breaking change for %s', (_what, changed) => {
  expect(breakingChanges(documentOf(), documentOf(changed))).toEqual([])
})
