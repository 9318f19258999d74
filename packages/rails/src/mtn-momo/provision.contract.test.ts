import nock from 'nock'
import { useNock } from '../nock.harness'
import { provisionMtnMomo } from './provision'
import { recorded } from './recorded.harness'

const request = {
  baseUrl: 'https://sandbox.momodeveloper.mtn.com',
  subscriptionKey: 'subscription-key',
  apiUser: 'c72025f5-5cd1-4630-99e4-8ba4722fad56',
  callbackHost: 'callbacks.example.com',
}
const userPath = `/v1_0/apiuser/${request.apiUser}`

useNock()

test('makes a user that may be called back on one host, and a key for it', async () => {
  nock(request.baseUrl, {
    reqheaders: {
      'x-reference-id': request.apiUser,
      'ocp-apim-subscription-key': 'subscription-key',
    },
  })
    .post('/v1_0/apiuser', recorded('create-user-request').body.toString())
    .reply(201)
  reply('get', userPath, 'read-user-answer')
  reply('post', `${userPath}/apikey`, 'create-key-answer')
  expect(await provisionMtnMomo(request)).toEqual({
    kind: 'provisioned',
    apiKey: 'f1db798c98df4bcf83b538175893bbf0',
    targetEnvironment: 'sandbox',
  })
})

test.each([
  ['create-user-error-already', 'http 409'],
  ['any-error-invalid-subscription-key', 'http 401'],
])('says at which step it failed, and how (%s)', async (name, status) => {
  reply('post', '/v1_0/apiuser', name)
  expect(await provisionMtnMomo(request)).toEqual({
    kind: 'failed',
    step: 'create the user',
    detail: expect.stringContaining(status),
  })
})

test('fails at the key when the answer has none', async () => {
  reply('post', '/v1_0/apiuser', 'create-user-answer')
  reply('get', userPath, 'read-user-answer')
  reply('post', `${userPath}/apikey`, 'any-error-service-unavailable')
  expect(await provisionMtnMomo(request)).toMatchObject({ kind: 'failed', step: 'create the key' })
})

function reply(method: 'get' | 'post', path: string, name: string): void {
  const { status, body } = recorded(name)
  nock(request.baseUrl)[method](path).reply(status, body)
}
