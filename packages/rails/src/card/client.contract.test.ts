import { useNock } from '../nock.harness'
import nock from 'nock'
import type { CardOrder } from '../rail'
import { openCard } from './client'
import { hostedPageUrl } from './hosted-page'
import { readCard } from './inbound'
import { recorded } from './recorded.harness'

const baseUrl = 'https://ap-gateway.mastercard.com'
const settings = {
  baseUrl,
  version: '100',
  merchantId: 'TESTMALIPO',
  apiPassword: 'api-password',
  merchantName: 'Malipo Payments',
}
const intentId = 'pi_0f4c8a5d2b7e4f1c9a6d3e8b'
const order: CardOrder = {
  intentId,
  totalMinor: 155_200n,
  currency: 'KES',
  returnUrl: 'https://pay.example.com/c/x/card/y/return',
  notificationUrl: 'https://callbacks.example.com/callbacks/card',
  lifeSeconds: 900,
  payer: { name: ' Amina W  Kamau', email: 'amina@example.com', phone: '254708374149' },
}
const base = '/api/rest/version/100/merchant/TESTMALIPO'
const opened = {
  kind: 'opened',
  sessionId: 'SESSION0002845421116G5879485H19',
  successIndicator: '73b1868af8af41f8',
}

const waits: number[] = []
const events: string[] = []
const rail = openCard(settings, {
  now: () => 0,
  wait: (milliseconds) => {
    waits.push(milliseconds)
    return Promise.resolve()
  },
  takeTurn: () => Promise.resolve(0),
  countEvent: (name) => events.push(name),
})

useNock()

beforeEach(() => {
  waits.length = 0
  events.length = 0
})

describe('a session', () => {
  test('is asked for with the recorded body, as our merchant', async () => {
    nock(baseUrl)
      .post(`${base}/session`, requestBody())
      .basicAuth({ user: 'merchant.TESTMALIPO', pass: 'api-password' })
      .reply(201, recorded('session-answer').body)
    expect(await rail.openSession(order)).toEqual(opened)
  })

  test('of Uganda has an amount without decimals, and no customer if the payer is unknown', async () => {
    nock(baseUrl)
      .post(`${base}/session`, (body: { order: object; customer?: object }) => {
        expect(body.order).toMatchObject({ amount: '5175000', currency: 'UGX' })
        expect(body.customer).toBeUndefined()
        return true
      })
      .reply(201, recorded('session-answer').body)
    const ugandan = {
      ...order,
      currency: 'UGX',
      totalMinor: 517_500_000n,
      payer: undefined,
    } as const
    expect(await rail.openSession(ugandan)).toEqual(opened)
  })

  test('is opened again after a lost answer, because no payer can reach the first one', async () => {
    nock(baseUrl)
      .post(`${base}/session`)
      .replyWithError(Object.assign(new Error(), { code: 'ECONNRESET' }))
    answer('post', '/session', 'session-answer')
    expect(await rail.openSession(order)).toEqual(opened)
    expect(waits).toHaveLength(1)
  })

  test.each([
    ['any-error-busy', 'http 503, SERVER_BUSY'],
    ['any-error-server-failed', 'http 500, SERVER_FAILED'],
  ])('that is not given twice (%s) is not open', async (name, detail) => {
    answer('post', '/session', name, 2)
    expect(await rail.openSession(order)).toEqual({ kind: 'not_opened', detail })
    expect(events).toEqual([])
  })

  test.each([
    'session-error-unexpected-parameter',
    'session-error-not-authorised',
    'session-error-wrong-credentials',
  ])('that is refused (%s) is requested once and counts provider_misconfigured', async (name) => {
    answer('post', '/session', name)
    const refused = { kind: 'refused', cause: 'refused', providerCode: 'INVALID_REQUEST' }
    expect(await rail.openSession(order)).toEqual(refused)
    expect(events).toEqual(['provider_misconfigured'])
  })

  test('is not open after an answer that cannot be read', async () => {
    nock(baseUrl).post(`${base}/session`).twice().reply(200, '<html>Request Rejected</html>')
    expect(await rail.openSession(order)).toEqual({ kind: 'not_opened', detail: 'http 200' })
  })

  test('for an amount with cents throws an internal fault', async () => {
    await expect(rail.openSession({ ...order, totalMinor: 155_250n })).rejects.toMatchObject({
      reason: 'internal',
    })
  })

  test('is paid on a page of the gateway', () => {
    expect(hostedPageUrl(baseUrl, opened.sessionId)).toBe(
      `${baseUrl}/checkout/pay/SESSION0002845421116G5879485H19?checkoutVersion=1.0.0`,
    )
  })
})

describe('a query', () => {
  test('asks by an order id that is made from the intent alone', () => {
    expect(rail.requestIdOf(intentId)).toBe(intentId)
  })

  test.each([
    'order-answer-captured',
    'order-answer-captured-3ds',
    'order-answer-captured-second-card',
    'order-answer-failed-declined',
    'order-answer-refunded',
    'order-error-not-found',
  ])('returns %s without the payer, with the same meaning', async (name) => {
    answer('get', `/order/${intentId}`, name)
    const fetched = await rail.askStatus(intentId)
    if (fetched.kind !== 'answered') throw new Error(fetched.detail)
    const [body = Buffer.of()] = fetched.bodies
    expect(readCard('query_answer', body)).toEqual(readCard('query_answer', recorded(name).body))
    expect(Buffer.from(body).toString()).not.toMatch(/5123|xxxx|amina|kamau|expiry|2547/i)
  })

  test('keeps less than the ledger accepts, of a payer who tried many cards', async () => {
    const json = JSON.parse(recorded('order-answer-failed-declined').body.toString()) as {
      transaction: object[]
    }
    const [step = {}] = json.transaction
    const body = { ...json, transaction: Array.from({ length: 60 }, () => step) }
    nock(baseUrl).get(`${base}/order/${intentId}`).reply(200, body)
    const fetched = await rail.askStatus(intentId)
    if (fetched.kind !== 'answered') throw new Error(fetched.detail)
    expect(fetched.bodies[0]?.byteLength).toBeLessThan(8_192)
  })

  test.each([
    ['any-error-busy', 'http 503, SERVER_BUSY'],
    ['session-error-wrong-credentials', 'http 401, INVALID_REQUEST'],
    ['session-error-not-authorised', 'http 400, INVALID_REQUEST'],
  ])('takes %s for no answer about the payment', async (name, detail) => {
    answer('get', `/order/${intentId}`, name)
    expect(await rail.askStatus(intentId)).toEqual({ kind: 'unanswered', detail })
  })

  test('finds nothing in a statement that the gateway does not have', async () => {
    const search = { attemptReference: 'A1B2C3D4E5F6', submittedAt: new Date(0) }
    expect((await rail.findInStatement(search)).kind).toBe('unanswered')
  })
})

function answer(method: 'get' | 'post', path: string, name: string, times = 1): void {
  const { status, body, contentType } = recorded(name)
  nock(baseUrl)
    [method](base + path)
    .times(times)
    .reply(status, body, { 'content-type': contentType })
}

function requestBody(): nock.DataMatcherMap {
  return JSON.parse(recorded('session-request').body.toString()) as nock.DataMatcherMap
}
