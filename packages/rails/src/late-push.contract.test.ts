import { countries } from '@malipo/kernel/countries'
import nock from 'nock'
import * as airtel from './airtel-money/client.harness'
import { openAirtelMoney } from './airtel-money/client'
import { recorded as airtelRecorded } from './airtel-money/recorded.harness'
import { openMpesa } from './mpesa/client'
import { recorded as mpesaRecorded } from './mpesa/recorded.harness'
import * as daraja from './mpesa/sandbox-settings.harness'
import * as mtn from './mtn-momo/client.harness'
import { openMtnMomo } from './mtn-momo/client'
import { recorded as mtnRecorded } from './mtn-momo/recorded.harness'
import { useNock } from './nock.harness'
import type { RailWiring } from './rail'
import type { Recorded } from './recorded.harness'

const startMs = Date.parse('2026-11-20T14:25:01+03:00')
/** Longer than the time in which a prompt may be sent, and shorter than the life of a token. */
const frozenMs = 100_000
const prompt = { ...mtn.prompt, sendByMs: startMs + 60_000 }
const notSent = { kind: 'not_sent', detail: 'its time to be sent is over' }

let nowMs: number
/** How long the worker stands still in each of its waits. */
let stillMs: number

const wiring: RailWiring = {
  now: () => nowMs,
  wait: (milliseconds) => {
    nowMs += milliseconds + stillMs
    return Promise.resolve()
  },
  takeTurn: () => Promise.resolve(0),
  countEvent: () => undefined,
}

const openMtn = () => openMtnMomo(mtn.settings, wiring)
const rails = [
  {
    ...{ name: 'M-PESA', baseUrl: daraja.baseUrl, payPath: '/mpesa/stkpush/v1/processrequest' },
    ...{ tokenPath: '/oauth/v1/generate?grant_type=client_credentials', tokenMethod: 'GET' },
    token: mpesaRecorded('token-answer-number-lifetime'),
    turnedAway: mpesaRecorded('any-error-spike-arrest'),
    prompt: { ...prompt, phone: '254708374149' },
    open: () => openMpesa(daraja.settings, wiring),
  },
  {
    ...{ name: 'MTN', baseUrl: mtn.baseUrl, payPath: mtn.payPath },
    ...{ tokenPath: mtn.tokenPath, tokenMethod: 'POST' },
    token: mtnRecorded('token-answer'),
    turnedAway: mtnRecorded('any-error-too-many-requests'),
    prompt,
    open: openMtn,
  },
  {
    ...{ name: 'Airtel', baseUrl: airtel.baseUrl, payPath: airtel.payPath },
    ...{ tokenPath: airtel.tokenPath, tokenMethod: 'POST' },
    token: airtelRecorded('token-answer'),
    turnedAway: airtelRecorded('any-error-too-many-requests'),
    prompt: { ...prompt, phone: airtel.prompt.phone },
    open: () => openAirtelMoney(airtel.settings, countries.ug, wiring),
  },
]

useNock()

beforeEach(() => {
  nowMs = startMs
  stillMs = 0
})

describe.each(rails)('row 69: a worker that stood still sends no prompt of $name', (rail) => {
  const { baseUrl, payPath, tokenPath, tokenMethod, token, turnedAway, open } = rail

  test('after its wait in line', async () => {
    nock(baseUrl).intercept(tokenPath, tokenMethod).reply(200, token.body)
    nock(baseUrl).post(payPath).reply(turnedAway.status, turnedAway.body)
    stillMs = frozenMs
    expect(await open().submit(rail.prompt)).toEqual(notSent)
  })

  test('after its wait for a token', async () => {
    nock(baseUrl)
      .intercept(tokenPath, tokenMethod)
      .reply(200, () => frozenBefore(token))
    expect(await open().submit(rail.prompt)).toEqual(notSent)
  })
})

test('row 69: a worker that stood still repeats no lost request to pay, which stays open', async () => {
  nock(mtn.baseUrl).post(mtn.tokenPath).reply(200, mtnRecorded('token-answer').body)
  nock(mtn.baseUrl)
    .post(mtn.payPath)
    .replyWithError(Object.assign(new Error(), { code: 'ECONNRESET' }))
  stillMs = frozenMs
  expect(await openMtn().submit(prompt)).toEqual({
    kind: 'unknown',
    detail: `no answer, then not_sent: ${notSent.detail}`,
  })
})

function frozenBefore({ body }: Recorded): string {
  nowMs += frozenMs
  return body.toString()
}
