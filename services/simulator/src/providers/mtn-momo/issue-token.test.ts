import { ofTest } from '@malipo/testing/lazily'
import { eventually } from '@malipo/testing/eventually'
import { basic, mtnMomo, newPlatform, startSimulator } from '../../start.harness'
import { recorded } from '../recorded.harness'
import { mtnClient, referenceId } from './mtn-momo.harness'

const sim = ofTest(() => startSimulator())
const mtn = mtnClient(sim)

const ask = (headers: Record<string, string>, body?: string) =>
  sim.wire('POST', '/collection/token/', {
    headers: { ...mtn.subscribed, ...headers },
    ...(body === undefined ? {} : { body }),
  })
const authorization = basic(mtnMomo.apiUser, mtnMomo.apiKey)

test('issues a token for API user and key, in the recorded shape', async () => {
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
])('issues no token for %s', async (_, headers, body, status) => {
  expect((await ask(headers, body)).status).toBe(status)
})

test('a token lasts an hour of virtual time', async () => {
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

describe('on the new platform', () => {
  const environment = { 'x-target-environment': 'mtnuganda' }
  const askNew = (headers: Record<string, string>) =>
    sim.wire('POST', '/mtn-new/collection/token/', { headers: { ...mtn.subscribed, ...headers } })
  const { userId, credentialToken } = newPlatform
  const authorization = basic(userId, credentialToken)

  test('a token is issued for User ID and Credential Token when the request names the environment', async () => {
    expect(await askNew({ ...environment, authorization })).toMatchObject({
      status: 200,
      body: { expires_in: 3_600 },
    })
  })

  test.each([
    ['no environment', { authorization }, 'token-error-target-environment'],
    [
      'another environment',
      { authorization, 'x-target-environment': 'sandbox' },
      'token-error-target-environment',
    ],
    [
      'the API user of the other platform',
      { ...environment, authorization: basic(mtnMomo.apiUser, mtnMomo.apiKey) },
      'token-error-invalid-client',
    ],
  ])('issues no token for %s', async (_, headers, name) => {
    const { status, body } = await askNew(headers)
    expect({ status, body }).toMatchObject(recorded('mtn-momo', name))
  })

  test('a token is refused by the old platform, and a payment of the old platform is unknown', async () => {
    await mtn.pay()
    const { body } = await askNew({ ...environment, authorization })
    const token = String(body.access_token)
    const headers = { ...mtn.subscribed, ...environment }
    const path = `/collection/v1_0/requesttopay/${referenceId}`
    expect((await sim.wire('GET', path, { token, headers })).status).toBe(401)
    expect(await sim.wire('GET', `/mtn-new${path}`, { token, headers })).toMatchObject({
      status: 404,
      body: { code: 'RESOURCE_NOT_FOUND' },
    })
    expect((await mtn.status()).status).toBe(200)
  })

  test('a token takes twelve seconds in the pack platform-move, and no time on the old platform', async () => {
    await sim.control('POST', '/packs/platform-move', {})
    const answer = askNew({ ...environment, authorization })
    expect((await ask({ authorization: basic(mtnMomo.apiUser, mtnMomo.apiKey) })).status).toBe(200)
    await eventually('the token is waited for', async () => {
      const { body } = await sim.control('GET', '/clock')
      return JSON.stringify(body).includes('token')
    })
    await sim.jump(11_999)
    expect(await Promise.race([answer, Promise.resolve('no answer')])).toBe('no answer')
    await sim.jump(1)
    expect((await answer).status).toBe(200)
  })
})
