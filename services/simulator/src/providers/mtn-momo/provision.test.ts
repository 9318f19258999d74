import { ofTest } from '@malipo/testing/lazily'
import { startSimulator } from '../../start.harness'
import { recorded } from '../recorded.harness'
import { mtnClient } from './mtn-momo.harness'

const id = '1c72025f-5cd1-4630-99e4-8ba4722fad56'

const sim = ofTest(() => startSimulator())
const mtn = mtnClient(sim)

const createUser = (
  headers: Record<string, string> = {},
  body = '{"providerCallbackHost":"h.test"}',
) =>
  sim.wire('POST', '/v1_0/apiuser', {
    headers: { ...mtn.subscribed, 'x-reference-id': id, ...headers },
    body,
  })
const createKey = (of = id) =>
  sim.wire('POST', `/v1_0/apiuser/${of}/apikey`, { headers: mtn.subscribed })

test('a user and its key are made as recorded, for the sandbox', async () => {
  expect(await createUser()).toMatchObject(recorded('mtn-momo', 'create-user-answer'))
  const read = await sim.wire('GET', `/v1_0/apiuser/${id}`, { headers: mtn.subscribed })
  expect(read.body).toEqual({ providerCallbackHost: 'h.test', targetEnvironment: 'sandbox' })
  const { status, body } = await createKey()
  expect(status).toBe(201)
  expect(body).toEqual({ apiKey: expect.stringMatching(/^[0-9a-f]{32}$/) })
  expect(await mtn.token(id, body.apiKey)).toMatch(/^[0-9a-f]{40}$/)
})

test('a user whose id is written in capitals is the same user', async () => {
  const capitals = id.toUpperCase()
  expect((await createUser({ 'x-reference-id': capitals })).status).toBe(201)
  const read = await sim.wire('GET', `/v1_0/apiuser/${capitals}`, { headers: mtn.subscribed })
  expect(read.status).toBe(200)
  const { status, body } = await createKey(capitals)
  expect(status).toBe(201)
  expect(await mtn.token(capitals, body.apiKey)).toMatch(/^[0-9a-f]{40}$/)
})

test('a new key ends the previous key and its tokens', async () => {
  await createUser()
  const { body: first } = await createKey()
  const token = await mtn.token(id, first.apiKey)
  const { body: second } = await createKey()
  expect(await mtn.token(id, first.apiKey)).toBe('undefined')
  expect(await mtn.token(id, second.apiKey)).toMatch(/^[0-9a-f]{40}$/)
  const headers = { ...mtn.subscribed, 'x-target-environment': 'sandbox' }
  const { status } = await sim.wire('GET', '/collection/v1_0/requesttopay/x', { token, headers })
  expect(status).toBe(401)
})

test('an id can be used for one user only', async () => {
  await createUser()
  expect(await createUser()).toMatchObject(recorded('mtn-momo', 'create-user-error-already'))
})

test.each([
  ['no uuid', { 'x-reference-id': 'x' }, undefined, 400],
  ['no host', {}, '{}', 400],
  ['no subscription', { 'ocp-apim-subscription-key': '' }, undefined, 401],
])('refuses to create a user with %s', async (_, headers, body, status) => {
  expect((await createUser(headers, body)).status).toBe(status)
})

test('an unknown user cannot be read and gets no key', async () => {
  const path = `/v1_0/apiuser/${id}`
  expect((await sim.wire('GET', path, { headers: mtn.subscribed })).status).toBe(404)
  expect((await createKey()).status).toBe(404)
})

test('an unknown path returns the error of the gateway of MTN', async () => {
  expect(await sim.wire('GET', '/collection/v1_0/moon')).toMatchObject({
    status: 404,
    body: { statusCode: 404, message: 'Resource not found' },
  })
})
