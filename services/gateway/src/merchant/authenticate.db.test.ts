import { randomBytes } from 'node:crypto'
import { buildKey, keyRandomBytes } from '@malipo/contracts/key'
import type { Merchant } from '../merchants.harness'
import { type RunningHost, startHost } from '../start.harness'

let host: RunningHost
let merchant: Merchant

beforeAll(async () => {
  host = await startHost()
})
beforeEach(async () => {
  merchant = await host.merchant()
})
afterAll(() => host.stop())

const anyPath = '/v1/payments/merchant/checkouts/cs_ke_000000000000000000000000'

/** The checkout need not exist: with a valid key the answer is 404. */
const use = async (authorization?: string | string[], from?: string) => {
  const reply = await host.ask(anyPath, {
    headers: { authorization },
    ...(from !== undefined && { from }),
  })
  return [reply.status, reply.body.code]
}
const accepted = [404, 2783]
const refused = [401, 2781]
const withKey = (key: string, from?: string) => use(`Bearer ${key}`, from)
const invented = (mode: 'test' | 'live', secret = Buffer.alloc(32, 2)) =>
  buildKey(mode, randomBytes(keyRandomBytes), secret)

test('accepts a key that is not revoked, with the scheme in any case', async () => {
  expect(await withKey(merchant.secretKey)).toEqual(accepted)
  expect(await use(`bearer  ${merchant.secretKey}`)).toEqual(accepted)
})

test.each<[string, (key: string) => string | string[] | undefined]>([
  ['nothing', () => undefined],
  ['an empty header', () => ''],
  ['the scheme alone', () => 'Bearer'],
  ['the key alone', (key) => key],
  ['another scheme', (key) => `Basic ${key}`],
  ['two keys', (key) => `Bearer ${key} ${key}`],
  ['two headers', (key) => [`Bearer ${key}`, `Bearer ${key}`]],
  ['a key in small letters', (key) => `Bearer ${key.toLowerCase()}`],
  ['a key cut short', (key) => `Bearer ${key.slice(0, -1)}`],
  [
    'a key with one character changed',
    (key) => `Bearer ${key.slice(0, 20)}${key[20] === 'A' ? 'B' : 'A'}${key.slice(21)}`,
  ],
  ['a key that was never issued', () => `Bearer ${invented('test')}`],
  [
    'a key with the tag of another installation',
    () => `Bearer ${invented('test', Buffer.alloc(32, 9))}`,
  ],
  ['a key of the other mode', () => `Bearer ${invented('live')}`],
])('returns 401 2781 for %s', async (_, header) => {
  expect(await use(header(merchant.secretKey))).toEqual(refused)
})

test.each<[string, (key: string) => string | string[] | undefined, RegExp]>([
  ['no key', () => undefined, /^The secret key is missing: send it as Authorization: Bearer/],
  ['two headers', (key) => [`Bearer ${key}`, `Bearer ${key}`], /^There is more than one Author/],
  ['another scheme', (key) => `Basic ${key}`, /^The Authorization header is malformed: send it/],
  ['a key cut short', (key) => `Bearer ${key.slice(0, -1)}`, /^The secret key is malformed: copy/],
  ['a live key', () => `Bearer ${invented('live')}`, /^This is a live key, .* takes test keys$/],
  ['an invented key', () => `Bearer ${invented('test')}`, /^The secret key is not known on this h/],
])('names what is wrong with %s', async (_, header, description) => {
  const reply = await host.ask(anyPath, { headers: { authorization: header(merchant.secretKey) } })
  expect(reply.body.description).toMatch(description)
  expect(reply.text).not.toContain('mkp_test_')
})

test('gives the same answer for a revoked key and for one that never existed', async () => {
  const revoked = await host.merchant()
  await host.revokeKey(revoked.accountId)
  const texts = [revoked.secretKey, invented('test')].map(async (key) => {
    const reply = await host.ask(anyPath, { headers: { authorization: `Bearer ${key}` } })
    return [reply.status, reply.body.description]
  })
  const [one, other] = await Promise.all(texts)
  expect(one).toEqual(other)
})

test('row 91: limits an address after 120 refused keys, and still accepts a good key from it, even a new one', async () => {
  const from = '203.0.113.7'
  for (let tries = 1; tries < 120; tries += 1) await use(undefined, from)
  expect(await withKey(invented('test'), from)).toEqual(refused)
  expect(await use(undefined, from)).toEqual([429, 1804])
  expect(await withKey(invented('test'), from)).toEqual([429, 1804])
  expect(await withKey((await host.merchant()).secretKey, from)).toEqual(accepted)
  expect(await withKey(merchant.secretKey, from)).toEqual(accepted)
  expect(await withKey(invented('test'))).toEqual(refused)
  host.time.aheadMs += 61_000
  expect(await withKey(invented('test'), from)).toEqual(refused)
})

test('accepts 130 merchants behind one address in the first minute of a gateway', async () => {
  const from = '203.0.113.8'
  // Keys are cached one by one, so a second key of the same account is as new to the gateway as another account's.
  for (let merchants = 1; merchants <= 130; merchants += 1) {
    if (merchants % 50 === 0) merchant = await host.merchant()
    const key = await host.createKey(merchant.accountId)
    expect([merchants, ...(await withKey(key, from))]).toEqual([merchants, ...accepted])
  }
})

test('names the authentication scheme in a refusal', async () => {
  const reply = await host.ask('/v1/payments/merchant/checkouts/cs_ke_000000000000000000000000')
  expect(reply.headers['www-authenticate']).toBe('Bearer realm="malipo"')
})

test('row 90: accepts a revoked key until 60 seconds after it was checked, and no longer', async () => {
  await withKey(merchant.secretKey)
  await host.revokeKey(merchant.accountId)
  host.time.aheadMs += 55_000
  expect(await withKey(merchant.secretKey)).toEqual(accepted)
  host.time.aheadMs += 5_000
  expect(await withKey(merchant.secretKey)).toEqual(refused)
})

test('accepts a new key at once, while the one it replaced is still cached', async () => {
  await withKey(merchant.secretKey)
  const next = await host.createKey(merchant.accountId)
  expect(await withKey(next)).toEqual(accepted)
  expect(await withKey(merchant.secretKey)).toEqual(accepted)
  host.time.aheadMs += 60_000
  expect(await withKey(merchant.secretKey)).toEqual(refused)
  expect(await withKey(next)).toEqual(accepted)
})

describe('row 89: while the key service is down', () => {
  let remembered: Merchant

  beforeAll(async () => {
    remembered = await host.merchant()
    await withKey(remembered.secretKey)
    await withKey(await host.createKey('acc_other'))
  })

  test('accepts a recently checked key, returns 503 2782 for others, and 401 for keys of the other mode or with a wrong tag', async () => {
    const unchecked = merchant.secretKey
    await host.lose('keys')
    expect(await withKey(remembered.secretKey)).toEqual(accepted)
    expect(await withKey(unchecked)).toEqual([503, 2782])
    expect(await withKey(invented('live'))).toEqual(refused)
    expect(await withKey(invented('test', Buffer.alloc(32, 9)))).toEqual(refused)
    // The failure was not cached, and no cached answer lives longer than its minute.
    host.time.aheadMs += 60_000
    expect(await withKey(remembered.secretKey)).toEqual([503, 2782])
  })
})
