import { randomBytes } from 'node:crypto'
import type { Prompt, Query } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { openLog } from '@malipo/runtime/log'
import type { Started } from '@malipo/runtime/process'
import { openBell } from '@malipo/runtime/queue'
import { eventually } from '@malipo/testing/eventually'
import { testRedisUrl, uniquePrefix } from '@malipo/testing/redis'
import { start } from './start'
import { openScriptedDaraja, openScriptedLedger, type Script, type Told } from './start.harness'

const log = openLog('test', 'silent')
const internalSecret = randomBytes(32)
const pushPath = '/mpesa/stkpush/v1/processrequest'
const queryPath = '/mpesa/stkpushquery/v1/query'
const pullPath = '/pulltransactions/v1/query'
const requestId = 'ws_CO_20112026142501373708374149'
const prompt: Prompt = {
  intentId: 'pi_1',
  rail: 'RAIL_MPESA',
  phone: '254708374149',
  amount: { currency: 'KES', minor: 100n },
  attemptReference: 'A1B2C3D4E5F6',
  callbackToken: 'ab'.repeat(16),
}
const query: Query = {
  intentId: 'pi_1',
  rail: 'RAIL_MPESA',
  amount: { currency: 'KES', minor: 100n },
  attemptReference: 'A1B2C3D4E5F6',
  providerRequestId: requestId,
  submittedAt: new Date('2026-11-20T14:25:01+03:00'),
  receiptWanted: false,
}

let told: Told[]
let script: Script
let answers: Map<string, string>
let stops: (() => Promise<unknown>)[]

beforeEach(() => {
  told = []
  script = {
    prompts: new Map(),
    queries: new Map(),
    messages: new Map(),
    due: [],
    recordSubmitAway: 0,
  }
  answers = new Map()
  stops = []
})

afterEach(async () => {
  for (const stop of stops.reverse()) await stop()
})

async function open(
  redisUrl = testRedisUrl(),
  mpesa = true,
): Promise<{ worker: Started; prefix: string }> {
  const ledger = await openScriptedLedger(internalSecret, told, script)
  stops.push(ledger.stop)
  const daraja = await openScriptedDaraja(told, answers)
  stops.push(daraja.stop)
  const prefix = uniquePrefix()
  const settings = { consumerKey: 'k', consumerSecret: 's', shortcode: '174379', passkey: 'p' }
  const worker = await start(
    {
      country: 'ke',
      host: '127.0.0.1',
      adminPort: 0,
      internalSecret,
      ledgerAddress: `127.0.0.1:${String(ledger.port)}`,
      redisUrl,
      queuePrefix: prefix,
      callbackBaseUrl: 'https://callbacks.example.com',
      sweepSeconds: 0.05,
      rails: mpesa ? { mpesa: { baseUrl: daraja.url, ...settings } } : {},
    },
    log,
  )
  stops.push(() => worker.stop())
  return { worker, prefix }
}

async function ring(prefix: string, name: string, id: string): Promise<void> {
  const bell = openBell({ redisUrl: testRedisUrl(), prefix, name, log })
  stops.push(() => bell.close())
  await eventually('the bell rings', async () => {
    await bell.ring(id)
    return told.length > 0
  })
}

const calls = () => told.map((entry) => entry.call)
const happen = (count: number) => eventually('all is told', () => told.length >= count)

test('rung for a prompt: the decision, the push, its outcome, in this order', async () => {
  script.prompts.set('pi_1', prompt)
  answers.set(pushPath, 'push-answer-accepted')
  const { prefix } = await open()
  await ring(prefix, 'submit-prompt', 'pi_1')
  await happen(3)
  expect(told.slice(0, 3)).toMatchObject([
    { call: 'beginSubmit', id: 'pi_1' },
    { call: 'daraja', path: pushPath },
    {
      call: 'recordSubmit',
      request: { outcome: { $case: 'accepted', value: { providerRequestId: requestId } } },
    },
  ])
})

test('without Redis the sweep does the same', async () => {
  script.prompts.set('pi_1', prompt)
  script.due.push({ work: { $case: 'submitIntentId', value: 'pi_1' } })
  answers.set(pushPath, 'push-error-subscriber-locked')
  const { worker } = await open('redis://127.0.0.1:1')
  await happen(3)
  expect(told[2]).toMatchObject({
    request: {
      outcome: {
        $case: 'refused',
        value: { cause: 'FAILURE_CAUSE_SESSION_OPEN', providerCode: '500.001.1001' },
      },
    },
  })
  const ready = await fetch(`http://127.0.0.1:${String(worker.ports['admin'])}/readyz`)
  expect(ready.status).toBe(200)
})

test('nothing is sent that the ledger does not hand out', async () => {
  script.due.push({ work: { $case: 'submitIntentId', value: 'pi_1' } })
  await open()
  await happen(1)
  script.due.push({ work: { $case: 'queryIntentId', value: 'pi_1' } })
  await happen(2)
  expect(calls()).toEqual(['beginSubmit', 'beginQuery'])
})

test('the outcome is recorded although the ledger was away for a moment', async () => {
  script.prompts.set('pi_1', prompt)
  script.due.push({ work: { $case: 'submitIntentId', value: 'pi_1' } })
  script.recordSubmitAway = 2
  answers.set(pushPath, 'push-answer-accepted')
  await open()
  await happen(3)
  expect(calls()).toEqual(['beginSubmit', 'daraja', 'recordSubmit'])
})

test('a prompt of a rail that is off is not sent, and said so', async () => {
  script.prompts.set('pi_1', prompt)
  script.due.push({ work: { $case: 'submitIntentId', value: 'pi_1' } })
  await open(testRedisUrl(), false)
  await happen(2)
  expect(told[1]).toMatchObject({ request: { outcome: { $case: 'notSent' } } })
})

test('a query that says paid is followed to the statement, each answer kept before it is applied', async () => {
  script.queries.set('pi_1', query)
  script.due.push({ work: { $case: 'queryIntentId', value: 'pi_1' } })
  answers.set(queryPath, 'query-answer-paid').set(pullPath, 'pull-query-answer')
  await open()
  await happen(7)
  expect(told).toMatchObject([
    { call: 'beginQuery' },
    { call: 'daraja', path: queryPath },
    { call: 'storeProviderMessage', request: { kind: 'PROVIDER_MESSAGE_KIND_QUERY_ANSWER' } },
    {
      call: 'applyEvidence',
      request: { fact: { $case: 'confirmed', value: { providerRequestId: requestId } } },
    },
    { call: 'daraja', path: pullPath },
    { call: 'storeProviderMessage', request: { kind: 'PROVIDER_MESSAGE_KIND_STATEMENT_ROW' } },
    {
      call: 'applyEvidence',
      request: {
        fact: { $case: 'confirmed', value: { receipt: 'UKK1RT61SV', amountMinor: 100n } },
      },
    },
  ])
})

test.each([
  ['only the receipt is wanted', { ...query, receiptWanted: true }],
  ["the provider's id was lost", { ...query, providerRequestId: undefined }],
])('the statement is asked at once when %s', async (_, asked) => {
  script.queries.set('pi_1', asked)
  script.due.push({ work: { $case: 'queryIntentId', value: 'pi_1' } })
  answers.set(pullPath, 'pull-query-answer-empty')
  await open()
  await happen(2)
  expect(told).toMatchObject([{ call: 'beginQuery' }, { call: 'daraja', path: pullPath }])
})

test('an error in place of an answer is not told to the ledger', async () => {
  script.queries.set('pi_1', query)
  script.due.push({ work: { $case: 'queryIntentId', value: 'pi_1' } })
  answers.set(queryPath, 'any-error-spike-arrest')
  await open()
  await happen(2)
  script.due.push({ work: { $case: 'submitIntentId', value: 'pi_2' } })
  await happen(3)
  expect(calls()).toEqual(['beginQuery', 'daraja', 'beginSubmit'])
})

test('rung for a message: what it says is applied', async () => {
  const body = { Body: { stkCallback: { CheckoutRequestID: requestId, ResultCode: 1032 } } }
  script.messages.set('pm_1', {
    rail: 'RAIL_MPESA',
    kind: 'PROVIDER_MESSAGE_KIND_CALLBACK',
    body: Buffer.from(JSON.stringify(body)),
    intentId: 'pi_1',
    applied: false,
  })
  const { prefix } = await open()
  await ring(prefix, 'read-provider-message', 'pm_1')
  await happen(2)
  expect(told[1]).toMatchObject({
    call: 'applyEvidence',
    request: {
      messageId: 'pm_1',
      fact: { $case: 'declined', value: { cause: 'FAILURE_CAUSE_CANCELLED' } },
    },
  })
})
