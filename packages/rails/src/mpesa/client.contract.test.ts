import { useNock } from '../nock.harness'
import nock from 'nock'
import type { Prompt } from '../rail'
import { openMpesa } from './client'
import { readMpesa } from './inbound'
import { lastRow, recorded } from './recorded.harness'
import { baseUrl, settings as sandbox } from './sandbox-settings.harness'

const settings = {
  ...sandbox,
  passkey: 'bfb279f9aa9bdbcf158e97dd71a467cd2e0c893059b10f78e6b72ada1ed2c919',
}
const prompt: Prompt = {
  intentId: 'pi_0f4c8a5d2b7e4f1c9a6d3e8b',
  phone: '254708374149',
  amountMinor: 100n,
  attemptReference: 'A1B2C3D4E5F6',
  payeeName: 'Mama Mboga Fresh',
  callbackUrl: 'https://callbacks.example.com/callbacks/0f4c8a5d2b7e4f1c9a6d3e8b5c2f7a10',
  sendByMs: Infinity,
}
const startMs = Date.parse('2026-11-20T14:25:01+03:00')
const tokenPath = '/oauth/v1/generate?grant_type=client_credentials'
const pushPath = '/mpesa/stkpush/v1/processrequest'
const queryPath = '/mpesa/stkpushquery/v1/query'
const pullPath = '/pulltransactions/v1/query'
const requestId = 'ws_CO_20112026142501373708374149'
const accepted = { kind: 'accepted', providerRequestId: requestId }

let nowMs = startMs
const waits: number[] = []
const events: string[] = []

const openRail = () =>
  openMpesa(settings, {
    now: () => nowMs,
    wait: (milliseconds) => {
      waits.push(milliseconds)
      nowMs += milliseconds
      return Promise.resolve()
    },
    takeTurn: () => Promise.resolve(0),
    countEvent: (name) => events.push(name),
  })

useNock()

beforeEach(() => {
  nowMs = startMs
  waits.length = 0
  events.length = 0
})

describe('the token', () => {
  test('is asked for with Basic credentials and sent as Bearer', async () => {
    nock(baseUrl)
      .get(tokenPath)
      .basicAuth({ user: 'consumer-key', pass: 'consumer-secret' })
      .reply(200, recorded('token-answer-number-lifetime').body)
    nock(baseUrl, { reqheaders: { authorization: 'Bearer c9SQxWWhmdVRlyh0zh8gZDTkubVF' } })
      .post(pushPath)
      .reply(200, recorded('push-answer-accepted').body)
    expect(await openRail().submit(prompt)).toEqual(accepted)
  })

  test('is asked for once by a hundred prompts at the same time', async () => {
    answer('get', tokenPath, 'token-answer-string-lifetime')
    nock(baseUrl).post(pushPath).times(100).reply(200, recorded('push-answer-accepted').body)
    const rail = openRail()
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => rail.submit(prompt)))
    expect(outcomes).toEqual(Array(100).fill(accepted))
  })

  test('is kept until a minute before its end, then replaced', async () => {
    const rail = openRail()
    answer('get', tokenPath, 'token-answer-number-lifetime')
    answer('post', pushPath, 'push-answer-accepted', 2)
    await rail.submit(prompt)
    nowMs = startMs + 3_538_000
    await rail.submit(prompt)
    answer('get', tokenPath, 'token-answer-number-lifetime')
    answer('post', pushPath, 'push-answer-accepted')
    nowMs = startMs + 3_539_000
    expect(await rail.submit(prompt)).toEqual(accepted)
  })

  test.each(['push-error-invalid-access-token', 'pull-error-invalid-access-token'])(
    'row 23: that Daraja refuses (%s) is replaced and the push repeated once',
    async (refusal) => {
      answer('get', tokenPath, 'token-answer-number-lifetime', 2)
      answer('post', pushPath, refusal)
      answer('post', pushPath, 'push-answer-accepted')
      expect(await openRail().submit(prompt)).toEqual(accepted)
      expect(events).toEqual(['provider_token_refused'])
    },
  )

  test.each([
    ['the page of a firewall', '<html>'],
    ['a page longer than an answer may be', '<'.repeat(10_000)],
  ])(
    'that is answered by 401 and %s is replaced by the next push, and this one is not repeated',
    async (_, page) => {
      const rail = openRail()
      answer('get', tokenPath, 'token-answer-number-lifetime')
      nock(baseUrl).post(pushPath).reply(401, page)
      expect(await rail.submit(prompt)).toEqual({ kind: 'unknown', detail: 'http 401' })
      answer('get', tokenPath, 'token-answer-string-lifetime')
      answer('post', pushPath, 'push-answer-accepted')
      expect(await rail.submit(prompt)).toEqual(accepted)
      expect(events).toEqual(['provider_token_refused'])
    },
  )

  test('that is refused again ends the prompt: two tries, no more', async () => {
    answer('get', tokenPath, 'token-answer-number-lifetime', 2)
    answer('post', pushPath, 'push-error-invalid-access-token', 2)
    expect(await openRail().submit(prompt)).toEqual({
      kind: 'refused',
      cause: 'refused',
      providerCode: '404.001.03',
    })
    expect(events).toContain('provider_misconfigured')
  })
})

describe('a token that is not given', () => {
  test.each([
    ['token-error-empty-body', 'no token: http 400'],
    ['token-error-authentication-type', 'no token: http 400'],
    ['token-error-grant-type', 'no token: http 400'],
    ['any-error-web-firewall', 'no token: http 503'],
  ])('(%s) leaves the prompt provably not sent', async (name, detail) => {
    answer('get', tokenPath, name)
    expect(await openRail().submit(prompt)).toEqual({ kind: 'not_sent', detail })
  })

  test('is asked for again by the next prompt', async () => {
    const rail = openRail()
    answer('get', tokenPath, 'any-error-internal')
    await rail.submit(prompt)
    answer('get', tokenPath, 'token-answer-number-lifetime')
    answer('post', pushPath, 'push-answer-accepted')
    expect(await rail.submit(prompt)).toEqual(accepted)
  })
})

describe('a push', () => {
  test('is sent with the recorded body', async () => {
    const recordedBody = JSON.parse(recorded('push-request').body.toString()) as object
    const expected = Object.entries(recordedBody).map(([key, value]) => [key, String(value)])
    answer('get', tokenPath, 'token-answer-number-lifetime')
    nock(baseUrl)
      .post(pushPath, Object.fromEntries(expected) as Record<string, string>)
      .matchHeader('content-type', 'application/json')
      .reply(200, recorded('push-answer-accepted').body)
    expect(await openRail().submit(prompt)).toEqual(accepted)
  })

  test('is not repeated after an opaque error', async () => {
    answer('get', tokenPath, 'token-answer-number-lifetime')
    answer('post', pushPath, 'any-error-internal')
    expect(await openRail().submit(prompt)).toMatchObject({ kind: 'unknown' })
  })

  test('is not repeated after a lost answer', async () => {
    answer('get', tokenPath, 'token-answer-number-lifetime')
    nock(baseUrl)
      .post(pushPath)
      .replyWithError(Object.assign(new Error(), { code: 'ECONNRESET' }))
    expect(await openRail().submit(prompt)).toEqual({ kind: 'unknown', detail: 'ECONNRESET' })
  })

  test('waits in line when Daraja turns it away for its rate', async () => {
    answer('get', tokenPath, 'token-answer-number-lifetime')
    answer('post', pushPath, 'any-error-spike-arrest', 2)
    answer('post', pushPath, 'push-answer-accepted')
    expect(await openRail().submit(prompt)).toEqual(accepted)
    expect(events).toEqual(['provider_throttled', 'provider_throttled'])
    expect(waits).toEqual([expect.any(Number), expect.any(Number)])
  })

  test('is not repeated after "System is busy", which comes from behind the gateway', async () => {
    answer('get', tokenPath, 'token-answer-number-lifetime')
    answer('post', pushPath, 'any-error-system-busy')
    answer('post', pushPath, 'push-answer-accepted')
    const detail = 'http 500, 500.003.02'
    expect(await openRail().submit(prompt)).toEqual({ kind: 'unknown', detail })
    expect(nock.pendingMocks()).toEqual([`POST ${baseUrl}:443${pushPath}`])
    nock.cleanAll()
  })

  test('is busy after twenty seconds in line', async () => {
    answer('get', tokenPath, 'token-answer-number-lifetime')
    nock(baseUrl).persist().post(pushPath).reply(500, recorded('any-error-spike-arrest').body)
    expect(await openRail().submit(prompt)).toEqual({
      kind: 'refused',
      cause: 'busy',
      providerCode: '500.003.02',
    })
    expect(nowMs - startMs).toBeLessThanOrEqual(20_000)
    nock.cleanAll()
  })
})

describe('a status query', () => {
  test.each([
    'query-answer-paid',
    'query-answer-cancelled',
    'query-answer-processing-4999',
    'query-answer-processing-error',
    'query-answer-unknown-code',
  ])('returns %s unchanged', async (name) => {
    answer('get', tokenPath, 'token-answer-number-lifetime')
    answer('post', queryPath, name)
    expect(await openRail().askStatus(requestId)).toEqual({
      kind: 'answered',
      bodies: [recorded(name).body],
    })
  })

  test.each<[string, string, number?]>([
    ['any-error-spike-arrest', 'http 500, 500.003.02'],
    ['any-error-gateway-spike-arrest', 'http 429, SpikeArrestViolation'],
    ['any-error-web-firewall', 'http 503'],
    ['push-error-wrong-credentials', 'http 500, 500.001.1001'],
    ['query-error-unknown-request', 'http 400, 400.002.02'],
    ['query-answer-paid', 'http 503', 503],
    ['query-answer-cancelled', 'http 500', 500],
  ])(
    'takes %s for no answer about the payment (%s)',
    async (name, detail, status = recorded(name).status) => {
      answer('get', tokenPath, 'token-answer-number-lifetime')
      nock(baseUrl).post(queryPath).reply(status, recorded(name).body)
      expect(await openRail().askStatus(requestId)).toEqual({ kind: 'unanswered', detail })
    },
  )

  test('replaces a refused token once', async () => {
    answer('get', tokenPath, 'token-answer-number-lifetime', 2)
    answer('post', queryPath, 'push-error-invalid-access-token')
    answer('post', queryPath, 'query-answer-paid')
    expect(await openRail().askStatus(requestId)).toMatchObject({ kind: 'answered' })
  })
})

describe('the statement', () => {
  const search = { attemptReference: 'A1B2C3D4E5F6', submittedAt: new Date(startMs) }

  test('yields the row that names the attempt, and no other', async () => {
    answer('get', tokenPath, 'token-answer-number-lifetime')
    answer('post', pullPath, 'pull-query-answer')
    const found = await openRail().findInStatement(search)
    expect(found).toMatchObject({ kind: 'answered', bodies: [expect.anything()] })
    const [body] = found.kind === 'answered' ? found.bodies : []
    expect(readMpesa('statement_row', body ?? Buffer.of())).toMatchObject({
      kind: 'confirmed',
      receipt: 'UKK1RT61SV',
      amountMinor: 100n,
    })
  })

  const other = { ...search, attemptReference: 'ZZZZZZZZZZZZ' }

  test('is read page by page until the row or the end', async () => {
    answer('get', tokenPath, 'token-answer-number-lifetime')
    const offsets: string[] = []
    for (const body of [recorded('pull-query-answer').body, lastRow()]) {
      nock(baseUrl)
        .post(pullPath, ({ OffSetValue }: { OffSetValue: string }) => offsets.push(OffSetValue) > 0)
        .reply(200, body)
    }
    expect(await openRail().findInStatement(other)).toEqual({ kind: 'answered', bodies: [] })
    expect(offsets).toEqual(['0', '2'])
  })

  test.each([
    'pull-query-answer-empty',
    'pull-query-answer-empty-text',
    'pull-error-nothing-found',
  ])('has no row of the attempt where it has none at all (%s)', async (empty) => {
    answer('get', tokenPath, 'token-answer-number-lifetime')
    answer('post', pullPath, empty)
    expect(await openRail().findInStatement(other)).toEqual({ kind: 'answered', bodies: [] })
  })

  test.each([
    ['pull-error-invalid-short-code', 'http 400, 400.001'],
    ['any-error-web-firewall', 'http 503'],
  ])('is unanswered by %s', async (name, detail) => {
    answer('get', tokenPath, 'token-answer-number-lifetime')
    answer('post', pullPath, name)
    expect(await openRail().findInStatement(search)).toEqual({ kind: 'unanswered', detail })
  })
})

function answer(method: 'get' | 'post', path: string, name: string, times = 1): void {
  const { status, body, contentType } = recorded(name)
  nock(baseUrl)[method](path).times(times).reply(status, body, { 'content-type': contentType })
}
