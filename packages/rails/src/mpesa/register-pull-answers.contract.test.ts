import { useNock } from '../nock.harness'
import nock from 'nock'
import { recorded } from './recorded.harness'
import { baseUrl, settings } from './sandbox-settings.harness'
import { registerPull } from './register-pull'

const wiring = {
  now: () => 0,
  wait: () => Promise.resolve(),
  takeTurn: () => Promise.resolve(0),
  countEvent: () => undefined,
}

useNock()

test.each([
  ['pull-register-answer', '174379 is registered'],
  ['pull-register-answer-already', '174379 was registered before'],
  ['pull-register-answer-spaced-keys', '174379 is registered'],
])('reads %s as "%s"', async (name, message) => {
  const token = recorded('token-answer-number-lifetime')
  nock(baseUrl).get('/oauth/v1/generate?grant_type=client_credentials').reply(200, token.body)
  const request = JSON.parse(recorded('pull-register-request').body.toString()) as {
    NominatedNumber: string
    CallBackURL: string
  }
  nock(baseUrl)
    .post('/pulltransactions/v1/register', { ...request })
    .reply(200, recorded(name).body)
  const { NominatedNumber: phone, CallBackURL: callbackUrl } = request
  expect(await registerPull(settings, wiring, { phone, callbackUrl })).toEqual({
    isDone: true,
    message,
  })
})
