import { ofFile } from '@malipo/testing/lazily'
import { basic, mpesa, startSimulator } from '../../start.harness'
import { fixture, shapeOf } from './fixtures.harness'

const sim = ofFile(() => startSimulator())

const ask = (authorization: string | undefined, grantType = 'client_credentials') =>
  sim.wire('GET', `/oauth/v1/generate?grant_type=${grantType}`, {
    headers: authorization === undefined ? {} : { authorization },
  })
const good = basic(mpesa.consumerKey, mpesa.consumerSecret)

test('returns a token, with its lifetime sometimes a number and sometimes a string', async () => {
  const seen = new Set<string>()
  for (let call = 0; call < 20; call += 1) {
    const { status, body } = await ask(good)
    expect(status).toBe(200)
    seen.add(JSON.stringify(shapeOf(body)))
  }
  expect(seen).toEqual(
    new Set(
      ['token-answer-number-lifetime', 'token-answer-string-lifetime'].map((name) =>
        JSON.stringify(shapeOf(fixture(name).body)),
      ),
    ),
  )
})

test('answers wrong credentials with 400 and an empty body', async () => {
  const answer = await ask(basic(mpesa.consumerKey, 'other'))
  expect(answer).toMatchObject(fixture('token-error-empty-body'))
})

test.each([
  ['no header', undefined, 'client_credentials', 'token-error-authentication-type'],
  ['another scheme', 'Bearer x', 'client_credentials', 'token-error-authentication-type'],
  ['another grant', good, 'password', 'token-error-grant-type'],
])('refuses %s', async (_what, authorization, grantType, recorded) => {
  const { status, body } = await ask(authorization, grantType)
  const { requestId: _ours, ...rest } = body
  const { requestId: _theirs, ...expected } = fixture(recorded).body
  expect(status).toBe(fixture(recorded).status)
  expect(rest).toEqual(expected)
})

test.each([
  ['/mpesa/stkpush/v1/processrequest', 404, '404.001.03'],
  ['/mpesa/reversal/v1/request', 404, '404.001.03'],
  ['/mpesa/c2b/v2/registerurl', 400, '400.003.01'],
  ['/mpesa/c2b/v2/simulate', 400, '400.003.01'],
  ['/mpesa/transactionstatus/v1/query', 400, '400.003.01'],
  ['/pulltransactions/v1/register', 401, '401.001'],
])('%s answers an unknown token with %i %s', async (path, status, errorCode) => {
  const answer = await sim.wire('POST', path, { token: 'x', body: '{}' })
  expect(answer).toMatchObject({ status, body: { errorCode } })
})

test('a rule can answer with the error for a token of another product', async () => {
  const effect = { kind: 'error', error: 'invalid_token_product' }
  await sim.control('POST', '/rules', { on: 'register', effect, times: 1 })
  const token = await sim.token()
  const body = JSON.stringify({ ShortCode: mpesa.shortCode })
  const answer = await sim.wire('POST', '/pulltransactions/v1/register', { token, body })
  expect(answer).toMatchObject({ status: 401, body: { errorCode: '401.003.01' } })
})

test('a token ends after an hour of virtual time', async () => {
  const token = await sim.token()
  const call = () => sim.wire('POST', '/pulltransactions/v1/register', { token, body: '{}' })
  await sim.jump(3_599_999)
  expect((await call()).status).toBe(400)
  await sim.jump(1)
  expect((await call()).body.errorMessage).toBe('Invalid Access Token')
})

test('a newer token does not end an older one', async () => {
  const token = await sim.token()
  await sim.token()
  const call = await sim.wire('POST', '/pulltransactions/v1/register', { token, body: '{}' })
  expect(call.body.errorMessage).toBe('Invalid ShortCode')
})
