import { ofTest } from '@malipo/testing/lazily'
import { startSimulator } from '../../start.harness'
import { recorded } from '../recorded.harness'
import { airtelClient, inUganda } from './airtel-money.harness'

const sim = ofTest(() => startSimulator())
const airtel = airtelClient(sim)

test('a token has the recorded shape, with its lifetime sometimes as text and sometimes as a number', async () => {
  const lives = new Set<unknown>()
  for (let count = 0; count < 10; count += 1) {
    const { body } = await airtel.askToken()
    expect(Object.keys(body)).toEqual(Object.keys(recorded('airtel-money', 'token-answer').body))
    lives.add(body.expires_in)
  }
  expect(lives).toEqual(new Set(['180', 180]))
})

test.each([
  ['another secret', { client_secret: 'x' }],
  ['another id', { client_id: 'x' }],
  ['another grant', { grant_type: 'password' }],
])('no token is issued for %s', async (_, changes) => {
  expect((await airtel.askToken(changes)).status).toBe(401)
})

test('a token lasts three minutes of virtual time', async () => {
  const token = await airtel.token()
  const enquire = () => sim.wire('GET', '/standard/v1/payments/x', { token, headers: inUganda })
  await sim.jump(179_000)
  expect((await enquire()).status).toBe(200)
  await sim.jump(1_000)
  expect(await enquire()).toMatchObject(recorded('airtel-money', 'any-error-invalid-token'))
})

test.each([
  ['GET', '/merchant/v1/payments/', 405],
  ['POST', '/merchant/v9/payments/', 404],
])('%s %s returns the error status of the Airtel gateway', async (method, path, status) => {
  expect((await sim.wire(method, path)).status).toBe(status)
})
