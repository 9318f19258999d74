import nock from 'nock'
import {
  accepted,
  answer,
  baseUrl,
  legacy,
  openRail,
  own,
  payPath,
  prompt,
  referenceId,
  startMs,
  statusPath,
  token,
  tokenHeaders,
  tokenPath,
  useOwnProcess,
} from './client.harness'
import { recorded } from './recorded.harness'

useOwnProcess()

const unknown = (detail: string) => ({ kind: 'unknown', detail })

describe('the token', () => {
  test('is asked for with Basic credentials, the subscription key, the environment and no body', async () => {
    nock(baseUrl, { reqheaders: tokenHeaders })
      .post(tokenPath, '')
      .basicAuth({ user: legacy.userId, pass: 'api-key' })
      .reply(200, recorded('token-answer').body)
    answer('post', payPath, 'pay-answer-accepted')
    expect(await openRail().submit(prompt)).toEqual(accepted)
  })

  test('is asked for once by a hundred prompts at the same time', async () => {
    answer('post', tokenPath, 'token-answer')
    answer('post', payPath, 'pay-answer-accepted', 100)
    const rail = openRail()
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => rail.submit(prompt)))
    expect(outcomes).toEqual(Array(100).fill(accepted))
  })

  test('that MTN refuses is replaced and the request repeated once', async () => {
    answer('post', tokenPath, 'token-answer', 2)
    answer('post', payPath, 'any-error-invalid-token')
    answer('post', payPath, 'pay-answer-accepted')
    expect(await openRail().submit(prompt)).toEqual(accepted)
    expect(own.events).toEqual(['provider_token_refused'])
  })

  test('that is refused again ends the prompt', async () => {
    answer('post', tokenPath, 'token-answer', 2)
    answer('post', payPath, 'any-error-invalid-token', 2)
    expect(await openRail().submit(prompt)).toMatchObject({ kind: 'refused', cause: 'refused' })
  })

  test('is not replaced when MTN refuses the subscription key', async () => {
    answer('post', tokenPath, 'token-answer')
    answer('post', payPath, 'any-error-invalid-subscription-key')
    expect(await openRail().submit(prompt)).toMatchObject({ kind: 'refused', cause: 'refused' })
    expect(own.events).toEqual(['provider_misconfigured'])
  })

  test.each([
    ['token-error-wrong-credentials', 'no token: http 401'],
    ['token-error-wrong-credentials-production', 'no token: http 500'],
    ['token-error-length-required', 'no token: http 411'],
    ['any-error-web-firewall', 'no token: http 200'],
  ])('that is not given (%s) leaves the prompt provably not sent', async (name, detail) => {
    answer('post', tokenPath, name)
    expect(await openRail().submit(prompt)).toEqual({ kind: 'not_sent', detail })
  })
})

describe('a request to pay', () => {
  test('has the recorded body and its headers', async () => {
    answer('post', tokenPath, 'token-answer')
    const reqheaders = {
      authorization: token,
      'content-type': 'application/json',
      'ocp-apim-subscription-key': 'subscription-key',
      'x-callback-url': prompt.callbackUrl,
      'x-reference-id': referenceId,
      'x-target-environment': 'mtnuganda',
    }
    nock(baseUrl, { reqheaders })
      .post(payPath, JSON.parse(recorded('pay-request').body.toString()))
      .reply(202)
    expect(await openRail().submit(prompt)).toEqual(accepted)
  })

  test('whose reference MTN already has counts as accepted', async () => {
    answer('post', tokenPath, 'token-answer')
    answer('post', payPath, 'pay-error-duplicate')
    expect(await openRail().submit(prompt)).toEqual(accepted)
  })

  test('row 27: is repeated with the same reference after a lost answer', async () => {
    answer('post', tokenPath, 'token-answer')
    loseAnswer()
    nock(baseUrl, { reqheaders: { 'x-reference-id': referenceId } })
      .post(payPath)
      .reply(409, recorded('pay-error-duplicate').body)
    expect(await openRail().submit(prompt)).toEqual(accepted)
  })

  test('is sent three times and then unknown', async () => {
    answer('post', tokenPath, 'token-answer')
    answer('post', payPath, 'pay-error-internal', 3)
    expect(await openRail().submit(prompt)).toEqual(unknown('http 500, INTERNAL_PROCESSING_ERROR'))
  })

  test('is not repeated so late that a status query could miss it', async () => {
    answer('post', tokenPath, 'token-answer')
    const lostAtMs: number[] = []
    // Throttled for sixteen seconds each time, then the answer is lost.
    nock(baseUrl)
      .persist()
      .post(payPath)
      .reply(() => {
        if (own.nowMs - (lostAtMs.at(-1) ?? startMs) < 16_000) return [429, '{}']
        lostAtMs.push(own.nowMs)
        return [500, '']
      })
    expect(await openRail().submit(prompt)).toEqual(unknown('http 500'))
    expect(lostAtMs).toHaveLength(2)
    nock.cleanAll()
  })

  test('is not called refused after a lost answer, whatever the repeat says', async () => {
    answer('post', tokenPath, 'token-answer')
    loseAnswer()
    answer('post', payPath, 'pay-error-not-allowed')
    expect(await openRail().submit(prompt)).toEqual(unknown('no answer, then refused: NOT_ALLOWED'))
  })

  test('is not called unsent after a lost answer', async () => {
    answer('post', tokenPath, 'token-answer')
    loseAnswer()
    loseAnswer('ECONNREFUSED')
    const outcome = await openRail().submit(prompt)
    expect(outcome).toEqual(unknown('no answer, then not_sent: ECONNREFUSED'))
  })

  test('that fails for our configuration counts provider_misconfigured', async () => {
    answer('post', tokenPath, 'token-answer')
    answer('post', payPath, 'pay-error-invalid-callback-url-host')
    expect(await openRail().submit(prompt)).toEqual({
      kind: 'refused',
      cause: 'refused',
      providerCode: 'INVALID_CALLBACK_URL_HOST',
    })
    expect(own.events).toEqual(['provider_misconfigured'])
  })

  test('sends again within 20 s while MTN answers 429, and is refused as busy after that', async () => {
    answer('post', tokenPath, 'token-answer')
    nock(baseUrl).persist().post(payPath).reply(429, recorded('any-error-too-many-requests').body)
    expect(await openRail().submit(prompt)).toEqual({
      kind: 'refused',
      cause: 'busy',
      providerCode: '429',
    })
    expect(own.nowMs - startMs).toBeLessThanOrEqual(20_000)
    expect(own.events).toContain('provider_throttled')
    nock.cleanAll()
  })
})

describe('a status query', () => {
  test('asks by a reference that is made from the intent alone', () => {
    expect(openRail().requestIdOf?.(prompt.intentId)).toBe(referenceId)
  })

  test.each([
    'status-answer-successful',
    'status-answer-pending',
    'status-answer-failed-expired',
    'status-answer-unknown-status',
    'status-error-not-found',
  ])('returns %s unchanged', async (name) => {
    answer('post', tokenPath, 'token-answer')
    answer('get', statusPath, name)
    expect(await openRail().askStatus(referenceId)).toEqual({
      kind: 'answered',
      bodies: [recorded(name).body],
    })
  })

  test.each([
    ['any-error-too-many-requests', 'http 429, 429'],
    ['any-error-service-unavailable', 'http 503, SERVICE_UNAVAILABLE'],
    ['any-error-web-firewall', 'http 200, no code'],
    ['any-error-invalid-subscription-key', 'http 401, 401'],
  ])('takes %s for no answer about the payment', async (name, detail) => {
    answer('post', tokenPath, 'token-answer')
    answer('get', statusPath, name)
    expect(await openRail().askStatus(referenceId)).toEqual({ kind: 'unanswered', detail })
    expect(own.events).toEqual(name === 'any-error-too-many-requests' ? ['provider_throttled'] : [])
  })

  test.each([
    ['the wrong path', 404, { statusCode: 404, message: 'Resource not found' }],
    ['a server in trouble', 500, { code: 'RESOURCE_NOT_FOUND', message: '' }],
  ])('is unanswered by a "not found" of %s', async (_, status, body) => {
    answer('post', tokenPath, 'token-answer')
    nock(baseUrl).get(statusPath).reply(status, body)
    expect(await openRail().askStatus(referenceId)).toMatchObject({ kind: 'unanswered' })
  })

  test('is unanswered by a payment in the currency of another environment', async () => {
    answer('post', tokenPath, 'token-answer')
    const { body } = recorded('status-answer-successful')
    nock(baseUrl).get(statusPath).reply(200, body.toString().replace('UGX', 'EUR'))
    expect(await openRail().askStatus(referenceId)).toEqual({
      kind: 'unanswered',
      detail: 'a payment in EUR',
    })
  })

  test.each([
    ['has another reference', 'A1B2C3D4E5F6', 'F6E5D4C3B2A1', false],
    ['has our reference', 'A1B2C3D4E5F6', 'A1B2C3D4E5F6', true],
    ['has no reference', '"externalId"', '"other"', true],
  ])(
    'believes an answer unless it has another reference: one that %s',
    async (_, word, other, isBelieved) => {
      answer('post', tokenPath, 'token-answer')
      const text = recorded('status-answer-successful').body.toString()
      nock(baseUrl).get(statusPath).reply(200, text.replaceAll(word, other))
      const fetched = await openRail().askStatus(referenceId, 'legacy', 'A1B2C3D4E5F6')
      expect(fetched).toMatchObject(
        isBelieved
          ? { kind: 'answered' }
          : { kind: 'unanswered', detail: 'a payment of another reference' },
      )
    },
  )

  test('keeps within ten calls a second together with another worker', async () => {
    answer('post', tokenPath, 'token-answer')
    answer('get', statusPath, 'status-answer-pending', 10)
    const rail = openRail()
    await Promise.all(Array.from({ length: 10 }, () => rail.askStatus(referenceId)))
    expect(own.waits).toHaveLength(9)
    expect(own.nowMs - startMs).toBeGreaterThanOrEqual(9 * 200)
  })

  test('takes its turn after its wait for a token', async () => {
    nock(baseUrl)
      .post(tokenPath)
      .reply(() => {
        own.nowMs += 20_000
        return [200, recorded('token-answer').body.toString()]
      })
    answer('get', statusPath, 'status-answer-pending', 10)
    const rail = openRail()
    await Promise.all(Array.from({ length: 10 }, () => rail.askStatus(referenceId)))
    expect(own.turnsAtMs.map((at) => at - startMs)).toEqual(Array(10).fill(20_000))
    expect(own.waits).toHaveLength(9)
  })

  test('takes another turn for its repeat with a fresh token', async () => {
    answer('post', tokenPath, 'token-answer', 2)
    answer('get', statusPath, 'any-error-invalid-token')
    answer('get', statusPath, 'status-answer-pending')
    expect(await openRail().askStatus(referenceId)).toMatchObject({ kind: 'answered' })
    expect(own.turnsAtMs).toHaveLength(2)
  })

  test('finds nothing in a statement that MTN does not have', async () => {
    const search = { attemptReference: 'A1B2C3D4E5F6', submittedAt: new Date(startMs) }
    expect((await openRail().findInStatement(search)).kind).toBe('unanswered')
  })
})

function loseAnswer(code = 'ECONNRESET'): void {
  nock(baseUrl).post(payPath).replyWithError(Object.assign(new Error(), { code }))
}
