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
  settings,
  startMs,
  statusPath,
  token,
  tokenHeaders,
  tokenPath,
  useOwnProcess,
} from './client.harness'
import { recorded } from './recorded.harness'
import type { MtnMomoSettings } from './settings'

useOwnProcess()

const newBaseUrl = 'https://momoapi.momo.africa'
const ofNewPlatform = { baseUrl: newBaseUrl, userId: 'TWFsaXBvIFVnYW5kYQ==', secret: 'to:ken+/=' }
const onBoth: MtnMomoSettings = { ...settings, platforms: { legacy, new: ofNewPlatform } }

describe('a token that is fetched ahead', () => {
  test('is used while the next one, asked for ten minutes before its end, is on its way', async () => {
    const rail = openRail()
    answer('post', tokenPath, 'token-answer')
    answer('post', payPath, 'pay-answer-accepted', 2)
    await rail.submit(prompt)
    own.nowMs = startMs + 2_999_000
    await rail.submit(prompt)
    const next = holdToken()
    nock(baseUrl, { reqheaders: { authorization: token } })
      .post(payPath)
      .twice()
      .reply(202)
    own.nowMs = startMs + 3_000_000
    expect(await rail.submit(prompt)).toEqual(accepted)
    own.nowMs = startMs + 3_569_000
    expect(await rail.submit(prompt)).toEqual(accepted)
    next.give('token-of-the-next-hour')
    expect(await rail.prepare?.()).toEqual({ kind: 'ready' })
    nock(baseUrl, { reqheaders: { authorization: 'Bearer token-of-the-next-hour' } })
      .post(payPath)
      .reply(202)
    expect(await rail.submit(prompt)).toEqual(accepted)
  })

  test('is there before the first prompt when the rail was prepared', async () => {
    const rail = openRail()
    answer('post', tokenPath, 'token-answer')
    expect(await rail.prepare?.()).toEqual({ kind: 'ready' })
    expect(await rail.prepare?.()).toEqual({ kind: 'ready' })
    answer('post', payPath, 'pay-answer-accepted')
    expect(await rail.submit(prompt)).toEqual(accepted)
  })

  test('names its platform when it cannot be fetched', async () => {
    answer('post', tokenPath, 'token-error-wrong-credentials')
    expect(await openRail().prepare?.()).toEqual({
      kind: 'unavailable',
      detail: 'platform legacy: no token: http 401',
    })
  })
})

describe('two platforms', () => {
  test('new prompts go where the setting says, with the credentials of that platform', async () => {
    const rail = openRail({ ...onBoth, platform: 'new' })
    nock(newBaseUrl, { reqheaders: tokenHeaders })
      .post(tokenPath, '')
      .basicAuth({ user: ofNewPlatform.userId, pass: ofNewPlatform.secret })
      .reply(200, recorded('token-answer').body)
    nock(newBaseUrl).post(payPath).reply(202)
    expect(rail.platform).toBe('new')
    expect(await rail.submit(prompt)).toEqual(accepted)
  })

  test.each([
    ['new', newBaseUrl],
    ['legacy', baseUrl],
  ])('a payment that %s took is asked about there alone', async (platform, url) => {
    const body = answerStatus(url, 'status-answer-successful')
    expect(await openRail({ ...onBoth, platform: 'new' }).askStatus(referenceId, platform)).toEqual(
      {
        kind: 'answered',
        bodies: [body],
      },
    )
  })

  test('a payment that either may have taken is asked about on the new one, where that is the only one', async () => {
    const body = answerStatus(newBaseUrl, 'status-answer-successful')
    const rail = openRail({ ...settings, platform: 'new', platforms: { new: ofNewPlatform } })
    expect(await rail.askStatus(referenceId)).toEqual({ kind: 'answered', bodies: [body] })
  })

  test.each([
    ['status-answer-successful', 'status-error-not-found', 'legacy'],
    ['status-error-not-found', 'status-answer-pending', 'new'],
    ['any-error-service-unavailable', 'status-answer-failed-expired', 'new'],
  ] as const)(
    'of the answers %s (legacy) and %s (new) about a payment that either may have taken, that of %s counts',
    async (old, since, found) => {
      const bodies = {
        legacy: answerStatus(baseUrl, old),
        new: answerStatus(newBaseUrl, since),
      }
      expect(await openRail(onBoth).askStatus(referenceId)).toEqual({
        kind: 'answered',
        bodies: [bodies[found]],
      })
    },
  )

  test('a payment that either may have taken is not found when both platforms say so', async () => {
    const bodies = [baseUrl, newBaseUrl].map((url) => answerStatus(url, 'status-error-not-found'))
    expect(await openRail(onBoth).askStatus(referenceId)).toEqual({ kind: 'answered', bodies })
  })

  test('a payment that either may have taken is not called "not found" while one does not answer', async () => {
    answerStatus(baseUrl, 'status-error-not-found')
    answerStatus(newBaseUrl, 'any-error-service-unavailable')
    expect(await openRail(onBoth).askStatus(referenceId)).toEqual({
      kind: 'unanswered',
      detail: 'http 503, SERVICE_UNAVAILABLE',
    })
  })

  test('a payment of a platform without credentials is not queried', async () => {
    expect(await openRail().askStatus(referenceId, 'new')).toEqual({
      kind: 'unanswered',
      detail: 'platform new has no credentials',
    })
  })

  test('tokens are fetched from both, also from the one that takes no new prompts', async () => {
    answer('post', tokenPath, 'token-answer')
    nock(newBaseUrl).post(tokenPath).reply(200, recorded('token-answer').body)
    expect(await openRail(onBoth).prepare?.()).toEqual({ kind: 'ready' })
  })

  test.each([
    ['token-error-target-environment', 'platform new: no token: http 400'],
    ['token-error-invalid-client', 'platform new: no token: http 401'],
  ])(
    'a token that the new platform refuses (%s) is reported with its platform',
    async (name, detail) => {
      const { status, body } = recorded(name)
      nock(newBaseUrl).post(tokenPath).reply(status, body)
      const rail = openRail({ ...settings, platform: 'new', platforms: { new: ofNewPlatform } })
      expect(await rail.prepare?.()).toEqual({ kind: 'unavailable', detail })
    },
  )
})

/** Lets a platform give a token and answer a status query with a recorded body. Returns the body. */
function answerStatus(url: string, name: string): Buffer {
  const { status, body } = recorded(name)
  nock(url).post(tokenPath).reply(200, recorded('token-answer').body)
  nock(url).get(statusPath).reply(status, body)
  return body
}

/** Answers the next request for a token only when the test says so. */
function holdToken(): { give(token: string): void } {
  let give: (token: string) => void = () => undefined
  const given = new Promise<object>((resolve) => {
    give = (name) => {
      resolve({ access_token: name, token_type: 'access_token', expires_in: 3_600 })
    }
  })
  nock(baseUrl)
    .post(tokenPath)
    .reply(200, () => given)
  return { give }
}
