import nock from 'nock'
import {
  accepted,
  answer,
  baseUrl,
  enquiryPath,
  openRail,
  own,
  paymentHeaders,
  payPath,
  prompt,
  startMs,
  tokenPath,
  transactionId,
  useOwnProcess,
} from './client.harness'
import { recorded } from './recorded.harness'

useOwnProcess()

describe('the token', () => {
  test('is requested with the recorded body', async () => {
    nock(baseUrl)
      .post(tokenPath, JSON.parse(recorded('token-request').body.toString()))
      .reply(200, recorded('token-answer').body)
    answer('post', payPath, 'pay-answer-accepted')
    expect(await openRail().submit(prompt)).toEqual(accepted)
  })

  test('is asked for once by a hundred prompts at the same time', async () => {
    answer('post', tokenPath, 'token-answer-number-lifetime')
    answer('post', payPath, 'pay-answer-accepted', 100)
    const rail = openRail()
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => rail.submit(prompt)))
    expect(outcomes).toEqual(Array(100).fill(accepted))
  })

  test('lasts for three minutes less twenty seconds', async () => {
    const rail = openRail()
    answer('post', tokenPath, 'token-answer')
    answer('post', payPath, 'pay-answer-accepted', 2)
    await rail.submit(prompt)
    own.nowMs = startMs + 159_000
    await rail.submit(prompt)
    answer('post', tokenPath, 'token-answer')
    answer('post', payPath, 'pay-answer-accepted')
    own.nowMs = startMs + 160_000
    expect(await rail.submit(prompt)).toEqual(accepted)
  })

  test('that Airtel refuses is replaced and the payment sent again, once', async () => {
    answer('post', tokenPath, 'token-answer', 2)
    answer('post', payPath, 'any-error-invalid-token')
    answer('post', payPath, 'pay-answer-accepted')
    expect(await openRail().submit(prompt)).toEqual(accepted)
    expect(own.events).toEqual(['provider_token_refused'])
  })

  test('that is refused twice fails the prompt and counts provider_misconfigured', async () => {
    answer('post', tokenPath, 'token-answer', 2)
    answer('post', payPath, 'any-error-invalid-token', 2)
    expect(await openRail().submit(prompt)).toMatchObject({ kind: 'refused', cause: 'refused' })
    expect(own.events).toContain('provider_misconfigured')
  })

  test.each([
    ['token-error-wrong-credentials', 'no token: http 401'],
    ['any-error-maintenance', 'no token: http 503'],
  ])('that is not given (%s) leaves the prompt provably not sent', async (name, detail) => {
    answer('post', tokenPath, name)
    expect(await openRail().submit(prompt)).toEqual({ kind: 'not_sent', detail })
  })
})

describe('a payment', () => {
  test('has the recorded body and its headers', async () => {
    answer('post', tokenPath, 'token-answer')
    nock(baseUrl, { reqheaders: paymentHeaders })
      .post(payPath, JSON.parse(recorded('pay-request').body.toString()))
      .reply(200, recorded('pay-answer-accepted').body)
    expect(await openRail().submit(prompt)).toEqual(accepted)
  })

  test('goes to no number of another country', async () => {
    expect(await openRail().submit({ ...prompt, phone: '254708374149' })).toMatchObject({
      kind: 'refused',
      cause: 'not_registered',
    })
  })

  test('is not sent again after a lost answer', async () => {
    answer('post', tokenPath, 'token-answer')
    nock(baseUrl)
      .post(payPath)
      .replyWithError(Object.assign(new Error(), { code: 'ECONNRESET' }))
    expect(await openRail().submit(prompt)).toEqual({ kind: 'unknown', detail: 'ECONNRESET' })
  })

  test.each([
    'any-error-read-timeout',
    'any-error-connection-timeout',
    'any-error-bad-gateway',
    'any-error-gateway-timeout',
    'pay-answer-something-went-wrong',
    'pay-answer-ambiguous',
  ])('is not sent again after %s', async (name) => {
    answer('post', tokenPath, 'token-answer')
    answer('post', payPath, name)
    expect(await openRail().submit(prompt)).toMatchObject({ kind: 'unknown' })
  })

  test('waits in line when Airtel turns it away for its rate', async () => {
    answer('post', tokenPath, 'token-answer')
    answer('post', payPath, 'any-error-too-many-requests', 2)
    answer('post', payPath, 'pay-answer-accepted')
    expect(await openRail().submit(prompt)).toEqual(accepted)
    expect(own.events).toEqual(['provider_throttled', 'provider_throttled'])
  })
})

describe('the remaining calls of this minute that Airtel reports', () => {
  const limited = (method: 'get' | 'post', path: string, left: string, name: string) => {
    const { status, body } = recorded(name)
    const headers = { 'x-ratelimit-limit-minute': '10', 'x-ratelimit-remaining-minute': left }
    nock(baseUrl)[method](path).reply(status, body, headers)
  }

  test('hold up no payment once the clock was set back', async () => {
    const rail = openRail()
    answer('post', tokenPath, 'token-answer')
    limited('get', enquiryPath, '0', 'enquiry-answer-in-progress')
    await rail.askStatus(transactionId)
    own.nowMs -= 3_600_000
    answer('post', payPath, 'pay-answer-accepted')
    expect(await rail.submit(prompt)).toEqual(accepted)
  })

  test('hold up no payment for longer than their minute when a limit of none is reported', async () => {
    const rail = openRail()
    answer('post', tokenPath, 'token-answer')
    const { status, body } = recorded('enquiry-answer-in-progress')
    nock(baseUrl).get(enquiryPath).reply(status, body, { 'x-ratelimit-limit-minute': '0' })
    await rail.askStatus(transactionId)
    own.nowMs += 60_000
    answer('post', payPath, 'pay-answer-accepted')
    expect(await rail.submit(prompt)).toEqual(accepted)
  })

  test('make a payment wait for the next minute when none is left, and refuse it when that is too far away', async () => {
    const rail = openRail()
    answer('post', tokenPath, 'token-answer')
    limited('post', payPath, '0', 'pay-answer-accepted')
    await rail.submit(prompt)
    const busy = { kind: 'refused', cause: 'busy', providerCode: 'no call left in this minute' }
    expect(await rail.submit(prompt)).toEqual(busy)
    own.nowMs = startMs + 50_000
    answer('post', payPath, 'pay-answer-accepted')
    expect(await rail.submit(prompt)).toEqual(accepted)
    expect(own.nowMs).toBeGreaterThanOrEqual(startMs + 59_000)
  })

  test('leave an enquiry unanswered when none is left', async () => {
    const rail = openRail()
    answer('post', tokenPath, 'token-answer')
    limited('get', enquiryPath, '0', 'enquiry-answer-in-progress')
    await rail.askStatus(transactionId)
    expect(await rail.askStatus(transactionId)).toEqual({
      kind: 'unanswered',
      detail: 'no call left in this minute beside those for payers who wait',
    })
  })

  test('leave an enquiry unanswered when only half are left, which are for payments', async () => {
    const rail = openRail()
    answer('post', tokenPath, 'token-answer')
    limited('get', enquiryPath, '5', 'enquiry-answer-in-progress')
    await rail.askStatus(transactionId)
    expect(await rail.askStatus(transactionId)).toEqual({
      kind: 'unanswered',
      detail: 'no call left in this minute beside those for payers who wait',
    })
    answer('post', payPath, 'pay-answer-accepted')
    expect(await rail.submit(prompt)).toEqual(accepted)
    expect(own.nowMs).toBe(startMs)
    own.nowMs += 60_000
    answer('get', enquiryPath, 'enquiry-answer-in-progress')
    expect(await rail.askStatus(transactionId)).toMatchObject({ kind: 'answered' })
  })

  test('let half of many enquiries at one moment through, also in the next minute', async () => {
    const rail = openRail()
    answer('post', tokenPath, 'token-answer')
    limited('get', enquiryPath, '9', 'enquiry-answer-in-progress')
    await rail.askStatus(transactionId)
    own.nowMs += 60_000
    answer('get', enquiryPath, 'enquiry-answer-in-progress', 5)
    const flood = await Promise.all(Array.from({ length: 12 }, () => rail.askStatus(transactionId)))
    const details = flood.map((one) => (one.kind === 'unanswered' ? one.detail : one.kind)).sort()
    const unanswered = 'no call left in this minute beside those for payers who wait'
    expect(details).toEqual([...Array(5).fill('answered'), ...Array(7).fill(unanswered)])
  })

  test('leave enquiries about payments in flight a quarter beside those about ended payments', async () => {
    const rail = openRail()
    answer('post', tokenPath, 'token-answer')
    limited('get', enquiryPath, '9', 'enquiry-answer-in-progress')
    await rail.askStatus(transactionId)
    answer('get', enquiryPath, 'enquiry-answer-in-progress', 4)
    const answeredOf = async (isWatch: boolean) => {
      const ask = () => rail.askStatus(transactionId, undefined, undefined, isWatch)
      const flood = await Promise.all(Array.from({ length: 5 }, ask))
      return flood.filter(({ kind }) => kind === 'answered').length
    }
    expect(await answeredOf(true)).toBe(2)
    expect(await answeredOf(false)).toBe(2)
  })

  test('delay no payment while one is left', async () => {
    const rail = openRail()
    answer('post', tokenPath, 'token-answer')
    limited('post', payPath, '1', 'pay-answer-accepted')
    answer('post', payPath, 'pay-answer-accepted')
    await rail.submit(prompt)
    await rail.submit(prompt)
    expect(own.nowMs).toBe(startMs)
  })
})

describe('an enquiry', () => {
  test('asks by an id that is made from the intent alone', () => {
    expect(openRail().requestIdOf?.(prompt.intentId)).toBe(transactionId)
  })

  test.each([
    'enquiry-answer-success',
    'enquiry-answer-failed-success-true',
    'enquiry-answer-ambiguous',
    'enquiry-answer-not-found',
  ])('returns %s unchanged', async (name) => {
    answer('post', tokenPath, 'token-answer')
    answer('get', enquiryPath, name)
    expect(await openRail().askStatus(transactionId)).toEqual({
      kind: 'answered',
      bodies: [recorded(name).body],
    })
  })

  test.each([
    ['enquiry-answer-not-fetched', 'http 200, ESB000014'],
    ['pay-error-router-country', 'http 400, ROUTER006'],
    ['any-error-gateway-timeout', 'http 504'],
    ['any-error-too-many-requests', 'http 429'],
  ])('takes %s for no answer about the payment', async (name, detail) => {
    answer('post', tokenPath, 'token-answer')
    answer('get', enquiryPath, name)
    expect(await openRail().askStatus(transactionId)).toEqual({ kind: 'unanswered', detail })
    expect(own.events).toEqual(name === 'any-error-too-many-requests' ? ['provider_throttled'] : [])
  })

  test.each([
    ['another id', '"id":"83000088"', { kind: 'unanswered', detail: 'another payment' }],
    ['an id with its middle hidden', '"id":"83****88"', { kind: 'answered' }],
    ['no id', '"other":""', { kind: 'answered' }],
  ])(
    'whose answer has %s is unanswered only where the id is of another payment',
    async (_, id, expected) => {
      answer('post', tokenPath, 'token-answer')
      const text = recorded('enquiry-answer-success').body.toString()
      nock(baseUrl)
        .get(enquiryPath)
        .reply(200, text.replace(`"id":"${transactionId}"`, id))
      expect(await openRail().askStatus(transactionId)).toMatchObject(expected)
    },
  )

  test('is unanswered by a "not found" with HTTP 500', async () => {
    answer('post', tokenPath, 'token-answer')
    nock(baseUrl).get(enquiryPath).reply(500, recorded('enquiry-answer-not-found').body)
    expect(await openRail().askStatus(transactionId)).toMatchObject({ kind: 'unanswered' })
  })
})

test('checks the signature of a callback with the key from the portal', () => {
  expect(openRail().checkSignature?.(recorded('callback-success-signed').body)).toBe('right')
})
