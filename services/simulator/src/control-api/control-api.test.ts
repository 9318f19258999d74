import { ofFile } from '@malipo/testing/lazily'
import { amina, startSimulator } from '../start.harness'
import { controlRoutes } from './control-routes'

const neverLives = { on: 'push', effect: { kind: 'drop' }, from_ms: 10, until_ms: 10 }

const sim = ofFile(() => startSimulator())

test('documents every operation, its parameters and its shapes', async () => {
  const { status, body } = await sim.control('GET', '/openapi.json')
  expect(status).toBe(200)
  expect(body.openapi).toBe('3.1.0')
  const documented = Object.entries<object>(body.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method} ${path}`),
  )
  const served = controlRoutes.map(({ method, path }) => `${method} /sim/v1${path}`)
  expect(documented.sort()).toEqual([...served, 'get /sim/v1/events/stream'].sort())
  expect(body.paths['/sim/v1/phones/{msisdn}/prompt'].post).toMatchObject({
    parameters: [
      { name: 'msisdn', in: 'path', required: true },
      { name: 'X-Sim-Session', in: 'header' },
    ],
    requestBody: {
      content: { 'application/json': { schema: { required: ['action'], type: 'object' } } },
    },
  })
  expect(body.paths['/sim/v1/book'].get.parameters).toMatchObject([
    { name: 'since', in: 'query', required: false },
    { name: 'limit', in: 'query', required: false },
    { name: 'X-Sim-Session', in: 'header', required: false },
  ])
})

test('lists the simulated providers in the meta', async () => {
  const { body } = await sim.control('GET', '/meta')
  expect(body).toMatchObject({ simulator: true, seed: 'test' })
  expect(body.rails[0]).toMatchObject({
    name: 'mpesa',
    businesses: [{ short_code: '174379', name: 'Malipo Payments' }],
  })
  expect(body.rails[0].paths).toContain('POST /mpesa/stkpush/v1/processrequest')
  expect(body.packs).toContainEqual(expect.objectContaining({ name: 'happy-path' }))
})

test('refuses calls from pages of other sites', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' }
  const answer = await sim.wire('POST', '/sim/v1/reset', { headers })
  expect(answer).toMatchObject({ status: 403, body: { error: 'cross_site' } })
})

test('refuses a body that is not JSON with its own error code', async () => {
  const answer = await sim.wire('POST', '/sim/v1/reset', { body: '{"seed":' })
  expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
})

test('returns 404 for an unknown path', async () => {
  for (const path of ['/sim/v1/moon', '/moon']) {
    expect(await sim.wire('GET', path)).toMatchObject({ status: 404, body: { error: 'not_found' } })
  }
})

test.each([
  ['GET /phones/254799999999', undefined, 404, /GET \/phones/],
  [`POST /phones/${amina}/prompt`, { action: 'approve' }, 409, /nothing rings|no prompt/i],
  ['POST /packs/unhappy', {}, 404, /GET \/meta/],
  ['DELETE /rules/rule_9', undefined, 404, /GET \/rules/],
  ['POST /events/1/replay', {}, 409, /callback/],
  ['POST /snapshots/snap_9/restore', undefined, 404, /GET \/snapshots/],
  ['DELETE /session', undefined, 409, /POST \/reset/],
  ['PUT /phones', {}, 404, /openapi\.json/],
])('refuses %s with a hint', async (call, body, status, advice) => {
  const [method = '', path = ''] = call.split(' ')
  const answer = await sim.control(method, path, body)
  expect(answer.status).toBe(status)
  expect(answer.body.message).toMatch(advice)
})

test.each([
  ['/phones', { msisdn: '999999999999999', count: 2 }, 'body.count', /15 digits/],
  ['/rules', neverLives, 'body.until_ms', /after from_ms/],
])('refuses a POST to %s of %j, which could never apply', async (path, body, place, advice) => {
  const answer = await sim.control('POST', path, body)
  const message: unknown = expect.stringMatching(advice)
  expect(answer).toMatchObject({ status: 400, body: { problems: [{ path: place, message }] } })
})

const form = 'msisdn=254711000001'

test.each<[string, object]>([
  ['whole', { body: form }],
  ['in chunks, without a length', { body: new Blob([form]).stream(), duplex: 'half' }],
])('refuses a form body that is sent %s, with a message that asks for JSON', async (_, sent) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await fetch(`${sim.url}/sim/v1/phones`, { method: 'POST', headers, ...sent })
  const problem = { path: 'body', message: 'send JSON, with Content-Type: application/json' }
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ problems: [problem] })
})
