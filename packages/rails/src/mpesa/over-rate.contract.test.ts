import { useNock } from '../nock.harness'
import nock from 'nock'
import { openMpesa } from './client'
import { recorded } from './recorded.harness'
import { baseUrl, settings } from './sandbox-settings.harness'

const startMs = Date.parse('2026-11-20T14:25:01+03:00')
const tokenPath = '/oauth/v1/generate?grant_type=client_credentials'
const queryPath = '/mpesa/stkpushquery/v1/query'
const pullPath = '/pulltransactions/v1/query'
const pushPath = '/mpesa/stkpush/v1/processrequest'
const requestId = 'ws_CO_20112026142501373708374149'
const window = { from: new Date(startMs - 600_000), until: new Date(startMs), rowOffset: 0 }

let nowMs = startMs
const waits: number[] = []
const events: string[] = []

function openRail() {
  return openMpesa(settings, {
    now: () => nowMs,
    wait: (milliseconds) => {
      waits.push(milliseconds)
      nowMs += milliseconds
      return Promise.resolve()
    },
    takeTurn: () => Promise.resolve(0),
    countEvent: (name) => events.push(name),
  })
}

function answer(method: 'get' | 'post', path: string, name: string, times = 1): void {
  const { status, body } = recorded(name)
  nock(baseUrl)[method](path).times(times).reply(status, body)
}

useNock()

beforeEach(() => {
  nowMs = startMs
  waits.length = 0
  events.length = 0
  answer('get', tokenPath, 'token-answer-number-lifetime')
})

test.each(['any-error-gateway-spike-arrest', 'any-error-spike-arrest'])(
  'after %s no status query is sent for a while, and prompts are',
  async (overRate) => {
    const rail = openRail()
    answer('post', queryPath, overRate)
    await rail.askStatus(requestId)
    const unsent = { kind: 'unanswered', detail: 'over the rate a moment ago' }
    expect(await rail.askStatus(requestId)).toEqual(unsent)
    answer('post', pushPath, 'push-answer-accepted')
    const prompt = { intentId: 'pi_1', phone: '254708374149', amountMinor: 100n }
    const texts = {
      attemptReference: 'A1B2C3',
      payeeName: 'Shop',
      callbackUrl: 'https://a.example',
    }
    expect(await rail.submit({ ...prompt, ...texts, sendByMs: Infinity })).toMatchObject({
      kind: 'accepted',
    })
    nowMs += 15_000
    answer('post', queryPath, 'query-answer-paid')
    expect(await rail.askStatus(requestId)).toMatchObject({ kind: 'answered' })
    expect(events).toEqual(['provider_throttled'])
  },
)

test('status queries that are under way when one is over the rate begin one pause', async () => {
  const rail = openRail()
  answer('post', queryPath, 'any-error-gateway-spike-arrest', 8)
  await Promise.all(Array.from({ length: 8 }, () => rail.askStatus(requestId)))
  nowMs += 2_000
  answer('post', queryPath, 'query-answer-paid')
  expect(await rail.askStatus(requestId)).toMatchObject({ kind: 'answered' })
})

test('the statement waits when it is over the rate, and is read on', async () => {
  answer('post', pullPath, 'any-error-gateway-spike-arrest', 2)
  answer('post', pullPath, 'pull-query-answer-empty')
  expect(await openRail().payBill?.listPayments(window)).toMatchObject({ kind: 'answered' })
  expect(waits).toHaveLength(2)
  expect(events).toEqual(['provider_throttled', 'provider_throttled'])
})

test('the statement is not read when it stays over the rate for twenty seconds', async () => {
  nock(baseUrl).persist().post(pullPath).reply(429, recorded('any-error-gateway-spike-arrest').body)
  expect(await openRail().payBill?.listPayments(window)).toEqual({
    kind: 'unanswered',
    detail: 'http 429, SpikeArrestViolation',
  })
  expect(nowMs - startMs).toBeLessThanOrEqual(20_000)
  expect(waits.length).toBeGreaterThan(1)
  nock.cleanAll()
})
