import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { MalipoConnectionError, MalipoError } from './errors'
import {
  type Answer,
  busy,
  checkout,
  clientOf,
  failureOf,
  open,
  someKey,
  withHost,
} from './host.harness'
import { Malipo } from './malipo'

const baseUrl = 'https://payments.example'

test.each([
  ['a key of something else', 'sk_live_1'],
  ['the placeholder of the README', 'mkp_test_…'],
  ['a key with a line break in it', 'mkp_test_AAAA\nBBBB'],
  ['a key with a line break at its end', `${someKey}\n`],
  ['a key with a space', 'mkp_live_AAAA BBBB'],
])('refuses %s in its constructor, and does not repeat it', (_what, secretKey) => {
  const refused = () => new Malipo({ secretKey, baseUrl })
  expect(refused).toThrow(/^secretKey must be a secret key of Malipo/)
  expect(refused).not.toThrow(/sk_live_1|AAAA|ABC2/)
})

test.each([
  'payments.example',
  'localhost:3000',
  'ftp://payments.example',
  'http://payments.example',
  'http://127.0.0.1.example',
  'http://localhost.example:3000',
  'http://10.0.0.1:3000',
])('refuses %s as baseUrl', (wrong) => {
  expect(() => new Malipo({ secretKey: someKey, baseUrl: wrong })).toThrow(/^baseUrl must be/)
})

test.each([
  'https://payments.example',
  'http://localhost:3000',
  'http://127.0.0.1:3000',
  'http://[::1]:3000',
])('accepts %s as baseUrl', (right) => {
  expect(new Malipo({ secretKey: someKey, baseUrl: right })).toBeInstanceOf(Malipo)
})

test.each(['kahawa ☕', 'two\nlines', 'order 1', '', 'x'.repeat(129)])(
  'refuses %j as idempotency key and sends nothing',
  async (idempotencyKey) => {
    await withHost([open], async (host) => {
      const { error } = await failureOf(clientOf(host).create({ amount: 1 }, { idempotencyKey }))
      expect(error).toEqual(
        new TypeError('idempotencyKey must be 1 to 128 visible ASCII characters'),
      )
      expect(host.requests).toEqual([])
    })
  },
)

test('follows no redirect, does not repeat the request, and asks whether baseUrl is right', async () => {
  const elsewhere: Answer = { status: 308, headers: { location: 'https://other.example/' } }
  await withHost([elsewhere], async (host) => {
    const { error } = await failureOf(clientOf(host).create({ amount: 1 }))
    expect(error).toBeInstanceOf(MalipoConnectionError)
    expect(error).toMatchObject({
      message: expect.stringMatching(/308 from .* Is baseUrl right/) as string,
    })
    expect(host.requests).toHaveLength(1)
  })
})

const failure = { ok: false, code: 2781, description: 'The key is refused', request_id: 'req_1' }

test.each<[string, Answer]>([
  ['no checkout', { body: { ok: true } }],
  ['an empty checkout', { body: { ok: true, data: {} } }],
  ['null', { body: 'null' }],
  ['a page', { body: '<html>Sign in</html>' }],
  ['an error without a code', { status: 401, body: { ok: false } }],
  [
    'an error with fields that are texts',
    { status: 400, body: { ...failure, errors: ['amount'] } },
  ],
])('throws a connection error for an answer with %s', async (_what, answer) => {
  await withHost([answer], async (host) => {
    const { error } = await failureOf(clientOf(host).create({ amount: 1 }))
    expect(error).toBeInstanceOf(MalipoConnectionError)
    expect(error).toMatchObject({
      message: expect.stringContaining('no answer of Malipo') as string,
    })
  })
})

test.each([500, 502, 503, 504, 522])(
  'reports a page with the status %d as an unavailable host after retries',
  async (status) => {
    await withHost([{ status, body: '<html>Sorry</html>' }], async (host) => {
      const { error } = await failureOf(clientOf(host, { retriesMax: 1 }).create({ amount: 1 }))
      expect(error).toBeInstanceOf(MalipoConnectionError)
      const { host: name } = new URL(host.url)
      expect(error).toMatchObject({
        message: `The host is unavailable: ${String(status)} from ${name}`,
      })
      expect(host.requests).toHaveLength(2)
    })
  },
)

test.each([
  ['seconds', '31'],
  ['minutes', '900'],
  ['a date', 'Fri, 01 Jan 2100 00:00:00 GMT'],
])(
  'throws the error at once when Retry-After asks for a pause of more than 30 seconds: %s',
  async (_what, retryAfter) => {
    await withHost([busy(retryAfter), open], async (host) => {
      const { error, ms } = await failureOf(clientOf(host).create({ amount: 1 }))
      expect(error).toBeInstanceOf(MalipoError)
      expect(error).toMatchObject({ status: 429, code: 1804 })
      expect(host.requests).toHaveLength(1)
      expect(ms).toBeLessThan(20_000)
    })
  },
)

test('pauses for the seconds of Retry-After before it retries', async () => {
  await withHost([busy('1'), open], async (host) => {
    const startedAt = performance.now()
    expect(await clientOf(host).create({ amount: 1 })).toEqual(checkout)
    expect(performance.now() - startedAt).toBeGreaterThan(990)
  })
})

test('ends a request at its timeout even if garbage is collected while it waits', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // A function drops its reference to the signal during a wait only once V8 has compiled it, so these calls make V8
  // compile it. They end at once, because Node sends nothing to port 9.
  const refused = clientOf({ url: 'http://127.0.0.1:9', requests: [] }, { retriesMax: 0 })
  for (let call = 0; call < 2_000; call += 1) await failureOf(refused.retrieve(checkout.id))
  await withHost(['silence'], async (host) => {
    const options = { timeoutMs: 1_000, retriesMax: 0 }
    const call = failureOf(clientOf(host, options).retrieve(checkout.id))
    // The signal of the timeout, if held weakly, can be collected only after the turn of the event loop that made it.
    const turn = () => new Promise((done) => setImmediate(done))
    while (host.requests.length === 0) await turn()
    for (let turns = 0; turns < 5; turns += 1) {
      await turn()
      collect()
    }
    const ended = await Promise.race([call, once(AbortSignal.timeout(10_000), 'abort')])
    expect(ended).toMatchObject({
      error: { name: 'MalipoConnectionError', cause: { name: 'TimeoutError' } },
    })
  })
})

test('makes a new idempotency key for each call whose key is null', async () => {
  await withHost([open, open], async (host) => {
    const idempotencyKey = null as unknown as string
    await clientOf(host).create({ amount: 1 }, { idempotencyKey })
    await clientOf(host).create({ amount: 1 }, { idempotencyKey })
    const keys = host.requests.map((headers) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(2)
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  })
})

test.each(['sdk', 'cli'])(
  'the package %s requires the first Node that has AbortSignal.any',
  (name) => {
    const manifest = readFileSync(join(__dirname, '../..', name, 'package.json'), 'utf8')
    expect(JSON.parse(manifest)).toMatchObject({ engines: { node: '>=20.3' } })
  },
)
