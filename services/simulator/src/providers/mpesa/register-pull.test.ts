import { ofFile } from '@malipo/testing/lazily'
import { startSimulator } from '../../start.harness'
import { fixture } from './fixtures.harness'

const sim = ofFile(() => startSimulator())

const register = async (body: unknown, token?: string) =>
  sim.wire('POST', '/pulltransactions/v1/register', {
    token: token ?? (await sim.token()),
    body: JSON.stringify(body),
  })

test('registers a short code, and refuses to register it again', async () => {
  const request = fixture('pull-register-request').body
  for (const recorded of ['pull-register-answer', 'pull-register-answer-already']) {
    const { status, body } = await register(request)
    const expected = fixture(recorded).body
    expect(status).toBe(200)
    expect(body).toEqual({ ...expected, ResponseRefID: expect.any(String) })
  }
})

test('refuses a short code that is not known', async () => {
  const { status, body } = await register({ ShortCode: '600000' })
  const { requestId: _theirs, ...expected } = fixture('pull-error-invalid-short-code').body
  expect(status).toBe(400)
  expect(body).toMatchObject(expected)
})

test('refuses a bad token with the error code of the pull API', async () => {
  const { status, body } = await register({}, 'x')
  const { requestId: _theirs, ...expected } = fixture('pull-error-invalid-access-token').body
  expect(status).toBe(401)
  expect(body).toMatchObject(expected)
})
