import { basic, mtnMomo, startSimulator, type RunningSimulator } from '../../start.harness'
import { recorded } from '../recorded.harness'
import { mtnClient } from './mtn-momo.harness'

let sim: RunningSimulator
let mtn: ReturnType<typeof mtnClient>
beforeEach(async () => {
  sim = await startSimulator()
  mtn = mtnClient(sim)
})
afterEach(() => sim.stop())

const ask = (headers: Record<string, string>, body?: string) =>
  sim.wire('POST', '/collection/token/', {
    headers: { ...mtn.subscribed, ...headers },
    ...(body === undefined ? {} : { body }),
  })
const authorization = basic(mtnMomo.apiUser, mtnMomo.apiKey)

test('is given for user and key, in the recorded shape', async () => {
  const { status, body } = await ask({ authorization })
  expect(status).toBe(200)
  expect(body).toEqual({
    ...recorded('mtn-momo', 'token-answer').body,
    access_token: expect.stringMatching(/^[0-9a-f]{40}$/),
  })
})

test.each([
  ['another key', { authorization: basic(mtnMomo.apiUser, 'x') }, undefined, 401],
  ['another user', { authorization: basic('x', mtnMomo.apiKey) }, undefined, 401],
  ['a bearer', { authorization: 'Bearer x' }, undefined, 401],
  ['a body', { authorization }, '{}', 400],
  ['another subscription', { authorization, 'ocp-apim-subscription-key': 'x' }, undefined, 401],
])('is not given for %s', async (_, headers, body, status) => {
  expect((await ask(headers, body)).status).toBe(status)
})

test('lasts an hour of virtual time', async () => {
  const token = await mtn.token()
  const status = async () =>
    (
      await sim.wire('GET', '/collection/v1_0/requesttopay/x', {
        token,
        headers: { ...mtn.subscribed, 'x-target-environment': 'mtnuganda' },
      })
    ).status
  await sim.jump(3_599_000)
  expect(await status()).toBe(404)
  await sim.jump(1_000)
  expect(await status()).toBe(401)
})
