import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { failureSchema } from '@malipo/interface/envelopes'
import { callsMax } from '@malipo/runtime/call-classes'
import { eventually } from '@malipo/testing/eventually'
import fc from 'fast-check'
import { z } from 'zod'
import type { Merchant } from '../merchants.harness'
import { type RunningHost, startHost } from '../start.harness'
import type { Sent } from '../send.harness'

let host: RunningHost
let merchant: Merchant
let id: string
const connections = { max: 50, perAddressMax: 50, idleSeconds: 15 }

beforeAll(async () => {
  host = await startHost({ pageOrigins: ['https://hub.example'], connections })
  merchant = await host.merchant()
  id = (await host.checkout(merchant, { amount: 50_000 })).id
})
afterAll(() => host.stop())

const bearer = () => ({ authorization: `Bearer ${merchant.secretKey}` })
const portOf = (url: string) => z.coerce.number().parse(new URL(url).port)
const collection = '/v1/payments/merchant/checkouts'
const publicPath = '/v1/payments/public'

test.each([
  ['GET', '/v1/payments'],
  ['GET', `${collection}/`],
  ['POST', `${collection}/`],
  ['GET', `${collection}/cs_ke_000000000000000000000000/payment`],
  ['POST', '/v1/payments/Merchant/checkouts'],
  ['POST', '/v2/payments/merchant/checkouts'],
  ['GET', `${publicPath}/checkouts`],
  ['GET', `${publicPath}/handles`],
  ['GET', '/callbacks/00'],
  ['GET', '/metrics'],
  ['GET', '/../../etc/passwd'],
  ['GET', '/%00'],
])('returns 404 1704 for the unknown %s %s', async (method, path) => {
  const reply = await host.ask(path, { method, headers: bearer() })
  expect([reply.status, reply.body.code]).toEqual([404, 1704])
})

test.each([
  ['GET', collection],
  ['PUT', collection],
  ['DELETE', `${collection}/x`],
  ['POST', `${collection}/x`],
  ['OPTIONS', collection],
  ['PATCH', `${publicPath}/checkouts/x`],
  ['GET', `${publicPath}/checkouts/x/pay`],
  ['POST', `${publicPath}/intents/x`],
  ['POST', `${publicPath}/handles/x`],
  ['GET', `${publicPath}/checkout`],
])('returns 400 1701 for the wrong request %s %s', async (method, path) => {
  const reply = await host.ask(path, { method })
  expect([reply.status, reply.body.code]).toEqual([400, 1701])
})

test.each([
  ['PUT', collection, 'POST'],
  ['POST', `${collection}/x`, 'GET'],
  ['PATCH', `${publicPath}/checkouts/x`, 'GET, OPTIONS'],
])('names the allowed methods after %s %s: %s', async (method, path, allowed) => {
  const reply = await host.ask(path, { method })
  expect(reply.headers['allow']).toBe(allowed)
  const message = `must be ${allowed.replaceAll(', ', ' or ')}`
  expect(reply.body.errors).toEqual([{ path: 'method', message }])
})

test('redirects from the root to the documentation', async () => {
  const { status, headers } = await host.ask('/')
  expect([status, headers['location']]).toEqual([302, '/docs'])
})

test('answers HEAD like GET, without the body', async () => {
  const reply = await host.ask(`${publicPath}/checkouts/${id}`, { method: 'HEAD' })
  expect([reply.status, reply.text]).toEqual([200, ''])
})

test('creates its own request id, whatever the caller sends', async () => {
  const ids = await Promise.all(
    ['/', collection, `${publicPath}/checkouts/${id}`, `/c/${id}`].map(async (path) => {
      const reply = await host.ask(path, { headers: { 'x-request-id': 'mine' } })
      return reply.headers['x-request-id']
    }),
  )
  expect(new Set(ids).size).toBe(4)
  for (const requestId of ids) expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
})

describe('returns 400 1701 for a body that parsers could read in two ways', () => {
  const key = () => ({ ...bearer(), 'content-type': 'application/json' })
  const good = '{"amount":100}'
  const cases: [string, Buffer | string, Sent['headers']][] = [
    ['no body', '', {}],
    ['an array', '[{"amount":100}]', {}],
    ['a key twice', '{"amount":100,"amount":100}', {}],
    ['__proto__', '{"amount":100,"__proto__":{"amount":1}}', {}],
    ['constructor', '{"amount":100,"constructor":{}}', {}],
    ['1e2', '{"amount":1e2}', {}],
    ['100.0', '{"amount":100.0}', {}],
    ['1e21', '{"amount":1e21}', {}],
    ['thirty digits', `{"amount":${'1'.repeat(30)}}`, {}],
    ['2^53 + 1', '{"amount":9007199254740993}', {}],
    ['a NUL', '{"amount":100,"reference":"a\\u0000"}', {}],
    ['half a surrogate pair', '{"amount":100,"reference":"\\ud83d"}', {}],
    ['invalid UTF-8', Buffer.from('{"amount":100,"reference":"\xff"}', 'latin1'), {}],
    ['a byte order mark', `\ufeff${good}`, {}],
    ['17 KB', `{"amount":100,"reference":"${'r'.repeat(17_000)}"}`, {}],
    ['1 MB', `{"amount":100,"reference":"${'r'.repeat(1_000_000)}"}`, {}],
    ['gzip', gzipSync(good), { 'content-encoding': 'gzip' }],
    ['gzip that does not say so', gzipSync(good), {}],
    [
      'UTF-7',
      '{"amount":100,"reference":"+AGE-"}',
      { 'content-type': 'application/json; charset=utf-7' },
    ],
    ['a form', 'amount=100', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['no content type', good, { 'content-type': undefined }],
  ]
  test.each(cases)('%s', async (_, body, headers) => {
    const reply = await host.ask(collection, {
      method: 'POST',
      body,
      headers: { ...key(), ...headers },
    })
    expect([reply.status, failureSchema.parse(reply.body).code]).toEqual([400, 1701])
  })

  test('but returns 201 for a body that all parsers read alike, sent in pieces', async () => {
    const headers = { ...key(), 'transfer-encoding': 'chunked', 'content-encoding': 'identity' }
    expect((await host.ask(collection, { method: 'POST', body: good, headers })).status).toBe(201)
  })
})

test('answers as the interface says for random methods, paths, bodies and idempotency keys', async () => {
  const schema = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
    path: fc.oneof(
      fc.constantFrom(collection, `${collection}/${id}`, `/c/${id}`, `/c/${id}/pay`),
      fc.constantFrom(`${publicPath}/checkouts/${id}/pay`, `${publicPath}/intents/${id}`),
      fc.constantFrom(`${publicPath}/checkout`, `${publicPath}/handles/${merchant.username}`),
      fc.webPath(),
    ),
    body: fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.json().map((text) => Buffer.from(text)),
    ),
    contentType: fc.constantFrom('application/json', 'application/x-www-form-urlencoded', '*'),
    key: fc.string({ unit: 'grapheme-ascii', maxLength: 140 }),
  })
  await fc.assert(
    fc.asyncProperty(schema, async ({ method, path, body, contentType, key }) => {
      const headers = { 'content-type': contentType, 'idempotency-key': key }
      const reply = await host.ask(path, { method, body: Buffer.from(body), headers })
      // A browser that restores its tabs sends a GET to a form's target, and is redirected to the page.
      const reopened = method === 'GET' && path === `/c/${id}/pay` ? [303] : []
      const top = method === 'GET' && ['', '/'].includes(path) ? [302] : []
      expect([200, 400, 401, 404, ...reopened, ...top]).toContain(reply.status)
      if (reply.status !== 200 && reply.body !== undefined) failureSchema.parse(reply.body)
    }),
    { numRuns: 500 },
  )
})

test('ends the requests of clients that leave in the middle of a body, and frees their places', async () => {
  // Node keeps a hundred connections beyond the maximum.
  const clients = Math.max(callsMax.create, connections.max + 100) + 1
  const head = `POST ${collection} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"amount":`
  const route = `"route":"post ${collection}","status":400`
  const ended = () => host.logged.filter((line) => line.includes(route)).length
  const before = ended()
  for (let client = 0; client < clients; client += 1) {
    const socket = connect({ port: portOf(host.url), host: '127.0.0.1' })
    await new Promise((resolve) => socket.write(head, resolve))
    socket.destroy()
  }
  await eventually('all have ended', () => ended() === before + clients)
  const made = await host.ask(collection, { body: { amount: 100 }, headers: bearer() })
  expect(made.status).toBe(201)
})

describe('a malformed HTTP request', () => {
  const raw = async (request: string) => {
    const socket = connect({ port: portOf(host.url), host: '127.0.0.1' })
    socket.write(request)
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    return { head, body: failureSchema.parse(JSON.parse(body)) }
  }

  test.each([
    ['20 KB of headers', `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['no HTTP', 'HELLO\r\n\r\n'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!',
    ],
    ['a line break in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: a\rb\r\n\r\n'],
    ['a port that is none', 'GET http://h:99999/docs/search?q=a HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a host that is none', 'GET http://[/x HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('returns 400 1701 for %s, and closes the connection', async (_, request) => {
    const { head, body } = await raw(request)
    expect(head).toMatch(/^HTTP\/1.1 400 /)
    expect(head).toContain('Connection: close')
    expect(head).toContain(`X-Request-Id: ${body.request_id}`)
    expect(body.code).toBe(1701)
  })
})

describe('pages', () => {
  const readFrom = (origin: string, method = 'GET') =>
    host.ask(`${publicPath}/checkouts/${id}`, {
      method,
      headers: { origin, 'access-control-request-method': 'GET' },
    })

  test.each(['https://pay.example', 'https://hub.example'])(
    'of ours may read the public routes: %s',
    async (origin) => {
      const reply = await readFrom(origin)
      expect(reply.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-expose-headers': expect.stringContaining('X-Request-Id'),
        vary: 'Origin',
      })
      expect(reply.headers['access-control-allow-credentials']).toBeUndefined()
      const preflight = await readFrom(origin, 'OPTIONS')
      expect([preflight.status, preflight.text]).toEqual([204, ''])
      expect(preflight.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': 'Content-Type, Idempotency-Key, traceparent',
      })
    },
  )

  test.each(['checkout', 'handles/unclaimed'])(
    'of ours may use the routes of handles: %s',
    async (route) => {
      const reply = await host.ask(`${publicPath}/${route}`, {
        method: 'OPTIONS',
        headers: { origin: 'https://hub.example' },
      })
      expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([
        204,
        'https://hub.example',
      ])
    },
  )

  test('lets our own pages read refusals too', async () => {
    const headers = { origin: 'https://hub.example' }
    const reply = await host.ask(`${publicPath}/checkouts/x`, { headers })
    expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([
      400,
      'https://hub.example',
    ])
  })

  test.each([
    'https://evil.example',
    'null',
    'https://pay.example.evil.example',
    'http://pay.example',
  ])('does not let other pages read: %s', async (origin) => {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await readFrom(origin, method)
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      expect(headers['vary']).toBe('Origin')
    }
  })
})

test('row 81: returns 503 2752 on every route that needs the ledger when the ledger does not answer', async () => {
  await host.lose('ledger')
  const headers = { ...bearer(), 'idempotency-key': 'k' }
  const [amount, phone, handle] = [100, '254712345678', merchant.username]
  const replies = await Promise.all([
    host.ask(collection, { body: { amount }, headers }),
    host.ask(`${collection}/${id}`, { headers }),
    host.ask(`${publicPath}/checkouts/${id}`),
    host.ask(`${publicPath}/checkouts/${id}/pay`, { body: { phone }, headers }),
    host.ask(`${publicPath}/checkouts/${id}/card`, { headers, method: 'POST' }),
    host.ask(`${publicPath}/intents/pi_000000000000000000000000`),
    host.ask(`${publicPath}/handles/${handle}`),
    host.ask(`${publicPath}/checkout`, { body: { handle, amount, phone }, headers }),
  ])
  expect(
    replies.map(({ status, body, headers: { 'retry-after': wait } }) => [status, body.code, wait]),
  ).toEqual(replies.map(() => [503, 2752, '1']))
})
