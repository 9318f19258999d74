import { startSimulator, type RunningSimulator } from '../start.harness'
import { controlRoutes } from './control-routes'

let sim: RunningSimulator
beforeAll(async () => {
  sim = await startSimulator()
})
afterAll(() => sim.stop())

test('its document names every operation, its parameters and its shapes', async () => {
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

test('the meta tells what is played here', async () => {
  const { body } = await sim.control('GET', '/meta')
  expect(body).toMatchObject({ simulator: true, seed: 'test' })
  expect(body.rails[0]).toMatchObject({
    name: 'mpesa',
    businesses: [{ short_code: '174379', name: 'Malipo Payments' }],
  })
  expect(body.rails[0].paths).toContain('POST /mpesa/stkpush/v1/processrequest')
  expect(body.packs).toContainEqual(expect.objectContaining({ name: 'happy-path' }))
})

test('a page of another site cannot drive it', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' }
  const answer = await sim.wire('POST', '/sim/v1/reset', { headers })
  expect(answer).toMatchObject({ status: 403, body: { error: 'cross_site' } })
})

test('a body that is no JSON is refused in its own words', async () => {
  const answer = await sim.wire('POST', '/sim/v1/reset', { body: '{"seed":' })
  expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
})

test('a path that nobody serves is 404', async () => {
  for (const path of ['/sim/v1/moon', '/moon']) {
    expect(await sim.wire('GET', path)).toMatchObject({ status: 404, body: { error: 'not_found' } })
  }
})
