import { useNock } from '../nock.harness'
import nock from 'nock'
import type { Refunds } from '../rail'
import { openMpesa } from './client'
import { recorded } from './recorded.harness'
import { baseUrl, settings as sandbox } from './sandbox-settings.harness'

const operator = { initiator: 'operator', securityCredential: 'c2VjcmV0' }
const settings = { ...sandbox, operator }
const reversalPath = '/mpesa/reversal/v1/request'
const statusPath = '/mpesa/transactionstatus/v1/query'
const callbackUrl = 'https://callbacks.example.com/callbacks/0f4c8a5d'
const order = {
  ...{ refundId: 'rf_0f4c8a5d2b7e4f1c9a6d3e8b', receipt: 'UKK1RT61SV', callbackUrl },
  ...{ amountMinor: 100n, currency: 'KES' as const },
}

useNock()

let events: string[]

beforeEach(() => {
  events = []
  answer('get', '/oauth/v1/generate?grant_type=client_credentials', 'token-answer-number-lifetime')
})

function open(): Refunds {
  const wiring = {
    now: () => 0,
    wait: () => Promise.resolve(),
    takeTurn: () => Promise.resolve(0),
    countEvent: (name: string) => events.push(name),
  }
  const { refunds } = openMpesa(settings, wiring)
  if (refunds === undefined) throw new Error('there is an operator')
  return refunds
}

const body = (name: string) => JSON.parse(recorded(name).body.toString()) as Record<string, string>

test('sends a reversal exactly as documented, and returns the request id of the provider', async () => {
  nock(baseUrl)
    .post(reversalPath, body('reversal-request'))
    .reply(200, recorded('reversal-answer-accepted').body)
  expect(await open().send(order)).toEqual({
    kind: 'accepted',
    providerRequestId: 'f1e2-4b95-a71d-b30d3cdbb7a7735297',
  })
})

test.each([
  ['push-error-invalid-amount', 'refused'],
  ['any-error-spike-arrest', 'refused'],
  ['any-error-system-busy', 'unknown'],
  ['any-error-internal', 'unknown'],
  ['any-error-web-firewall', 'unknown'],
])('a refund is not repeated after %s, and is %s', async (name, kind) => {
  answer('post', reversalPath, name)
  expect(await open().send(order)).toMatchObject({ kind })
})

test.each([
  ['any-error-spike-arrest', '500.003.02'],
  ['any-error-quota-violation', '500.003.03'],
  ['any-error-gateway-spike-arrest', 'SpikeArrestViolation'],
  ['any-error-gateway-quota', 'QuotaViolation'],
])(
  'a reversal that Daraja turns away by %s is refused as busy, and can be ordered again',
  async (name, providerCode) => {
    answer('post', reversalPath, name)
    expect(await open().send(order)).toEqual({ kind: 'refused', cause: 'busy', providerCode })
    expect(events).toEqual(['provider_throttled'])
  },
)

test('a reversal that Daraja refuses for a field of ours counts provider_misconfigured', async () => {
  answer('post', reversalPath, 'push-error-invalid-amount')
  expect(await open().send(order)).toMatchObject({ kind: 'refused', cause: 'refused' })
  expect(events).toEqual(['provider_misconfigured'])
})

test('a lost answer makes the outcome unknown, and the reversal is not sent again', async () => {
  nock(baseUrl)
    .post(reversalPath)
    .replyWithError(Object.assign(new Error(), { code: 'ECONNRESET' }))
  expect(await open().send(order)).toEqual({ kind: 'unknown', detail: 'ECONNRESET' })
})

test('queries by the provider’s request id, or by the receipt where that id is missing', async () => {
  const question = { receipt: 'UKK1RT61SV', providerRequestId: undefined, answerUrl: callbackUrl }
  const requests: Record<string, string>[] = []
  nock(baseUrl)
    .post(statusPath, (sent: Record<string, string>) => requests.push(sent) > 0)
    .times(2)
    .reply(200, recorded('reversal-answer-accepted').body)
  const refunds = open()
  expect(await refunds.ask(question)).toEqual({ kind: 'asked' })
  expect(requests[0]).toEqual(body('status-request'))
  await refunds.ask({ ...question, providerRequestId: 'AG_1' })
  expect(requests[1]).toMatchObject({ OriginalConversationID: 'AG_1' })
  expect(requests[1]).not.toHaveProperty('TransactionID')
})

test('a status query that fails with http 500 is unanswered', async () => {
  answer('post', statusPath, 'any-error-internal')
  const question = { receipt: 'UKK1RT61SV', providerRequestId: undefined, answerUrl: callbackUrl }
  expect(await open().ask(question)).toEqual({ kind: 'unanswered', detail: 'http 500' })
})

function answer(method: 'get' | 'post', path: string, name: string): void {
  const { status, body: text, contentType } = recorded(name)
  nock(baseUrl)[method](path).reply(status, text, { 'content-type': contentType })
}
