import { ofFile } from '@malipo/testing/lazily'
import { successSchema } from '@malipo/interface/envelopes'
import { resolvedHandleSchema } from '@malipo/interface/handle'
import { rpcDuration } from '@malipo/runtime/metrics'
import { startHost } from '../start.harness'

const schema = successSchema('Handle resolved', resolvedHandleSchema)

const host = ofFile(() => startHost({ businessNumber: '600100' }))

const path = (handle: string) => `/v1/payments/public/handles/${handle}`

const resolve = async (handle: string, at = host) => {
  const reply = await at.ask(path(handle))
  expect(reply.status).toBe(200)
  return schema.parse(reply.body).data
}

test('returns the account of a username, and how this host collects', async () => {
  const { username } = await host.merchant()
  expect(await resolve(username)).toEqual({
    name: username,
    username,
    title: null,
    amount: null,
    display_name: 'Mama Njeri Groceries',
    profile_image_url: null,
    home_country: 'KE',
    served_here: true,
    currency: 'KES',
    rail: 'mpesa',
    min: '100',
    max: '15000000',
    paybill: '600100',
    accepting: true,
  })
})

test("returns the owner's picture", async () => {
  const merchant = await host.merchant()
  await host.showPicture(merchant, 'https://img.example/njeri.png')
  expect(await resolve(merchant.username)).toMatchObject({
    profile_image_url: 'https://img.example/njeri.png',
    accepting: true,
  })
})

/** How many calls of a method were answered, by the services of this process. */
async function answered(method: string): Promise<number> {
  const { values } = await rpcDuration.get()
  const wanted = ({ metricName, labels }: (typeof values)[number]) =>
    metricName === 'malipo_rpc_seconds_count' && labels.method === method
  return values.filter(wanted).reduce((sum, { value }) => sum + value, 0)
}

test('requests for one handle at the same time share the calls to other services', async () => {
  const { username } = await host.merchant()
  const methods = ['resolveHandle', 'checkWallet']
  const before = await Promise.all(methods.map(answered))
  const askers = Array.from({ length: 40 }, () => resolve(username))
  expect(new Set((await Promise.all(askers)).map(({ name }) => name))).toEqual(new Set([username]))
  const after = await Promise.all(methods.map(answered))
  for (const [place, calls] of after.entries()) {
    const made = calls - (before[place] ?? 0)
    expect(made).toBeGreaterThan(0)
    expect(made).toBeLessThan(askers.length)
  }
})

test("finds a name in any case, and shows the owner's spelling", async () => {
  const { username } = await host.merchant()
  expect((await resolve(username.toLowerCase())).name).toBe(username)
  expect((await resolve(username.toUpperCase())).name).toBe(username)
})

test('returns the title and suggested amount of a link', async () => {
  const merchant = await host.merchant()
  const { handle } = await host.link(merchant, { title: 'School fees', amountMinor: 250_000n })
  expect(await resolve(handle)).toMatchObject({
    name: handle,
    username: merchant.username,
    title: 'School fees',
    amount: '250000',
    accepting: true,
  })
})

test('returns neither title nor amount for an open link', async () => {
  const { handle } = await host.link(await host.merchant())
  expect(await resolve(handle)).toMatchObject({ name: handle, title: null, amount: null })
})

test('returns 404 2710 for a link as soon as it is closed', async () => {
  const { handle, close } = await host.link(await host.merchant())
  await resolve(handle)
  await close()
  const reply = await host.ask(path(handle))
  expect([reply.status, reply.body.code]).toEqual([404, 2710])
})

test('returns an account of another country without money fields', async () => {
  const foreigner = await host.foreigner('ug')
  const suggestion = { title: 'Boda', amountMinor: 500_000n }
  const { handle } = await host.link(foreigner, suggestion)
  expect(await resolve(handle)).toEqual({
    name: handle,
    username: foreigner.username,
    title: 'Boda',
    amount: null,
    display_name: 'Shop abroad',
    profile_image_url: null,
    home_country: 'UG',
    served_here: false,
    currency: null,
    rail: null,
    min: null,
    max: null,
    paybill: null,
    accepting: false,
  })
})

test('does not accept payments without a wallet, with a frozen one, or when the owner has turned them off', async () => {
  const withoutWallet = await host.foreigner('ke')
  expect(await resolve(withoutWallet.username)).toMatchObject({
    served_here: true,
    accepting: false,
    currency: 'KES',
    min: '100',
  })
  const frozen = await host.merchant()
  await host.rows(`UPDATE wallets SET frozen_at = now() WHERE account_id = '${frozen.accountId}'`)
  expect((await resolve(frozen.username)).accepting).toBe(false)
  const closed = await host.merchant()
  await host.takeNoPayments(closed)
  expect((await resolve(closed.username)).accepting).toBe(false)
})

test('omits Pay Bill for a handle that is too long for the menu', async () => {
  const { username } = await host.merchant()
  expect(username.length).toBeLessThanOrEqual(20)
  const long = await host.foreigner('ke', { username: 'l'.repeat(14) + username })
  expect((await resolve(long.username)).paybill).toBeNull()
})

test.each(['unclaimed', '0', '-', '.a.', '_', 'a'.repeat(64)])(
  'returns 404 2710 for %s',
  async (name) => {
    const reply = await host.ask(path(name))
    expect([reply.status, reply.body.code]).toEqual([404, 2710])
  },
)

test.each([
  'a'.repeat(65),
  'a%2Fb',
  'a%20b',
  '%00',
  'caf%C3%A9',
  '%E2%80%AEevil',
  'a+b',
  'a@b',
  '%F0%9D%96%92',
  "a'--",
  '%2e%2e%2f',
])('returns 400 1701 for %s, which is no handle', async (name) => {
  const reply = await host.ask(path(name))
  expect([reply.status, reply.body.code]).toEqual([400, 1701])
  expect(reply.body.errors).toMatchObject([{ path: 'handle' }])
})

test('returns 429 1804 for the 121st request of an address in a minute, without limiting its reads of checkouts', async () => {
  const from = '198.19.7.7'
  const ask = () => host.ask(path('unclaimed'), { from })
  for (let tens = 0; tens < 12; tens += 1) {
    const replies = await Promise.all(Array.from({ length: 10 }, ask))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([404]))
  }
  const refused = await ask()
  expect([refused.status, refused.body.code]).toEqual([429, 1804])
  expect(refused.headers['retry-after']).toBeDefined()
  const other = await host.ask('/v1/payments/public/checkouts/cs_ke_000000000000000000000000', {
    from,
  })
  expect(other.status).toBe(404)
})

test('resolves accounts of its own country, and points to the host of another', async () => {
  const uganda = await startHost({ country: 'ug' })
  const mukasa = await uganda.merchant()
  expect(await resolve(mukasa.username, uganda)).toMatchObject({
    home_country: 'UG',
    served_here: true,
    currency: 'UGX',
    rail: 'mtn_momo',
    min: '100',
    max: '500000000',
    paybill: null,
    accepting: true,
  })
  const kenyan = await uganda.foreigner('ke')
  expect(await resolve(kenyan.username, uganda)).toMatchObject({
    home_country: 'KE',
    served_here: false,
    currency: null,
    accepting: false,
  })
  const kenyanId = (await host.checkout(await host.merchant(), { amount: 50_000 })).id
  const abroad = await uganda.ask(`/v1/payments/public/checkouts/${kenyanId}`)
  expect([kenyanId.slice(0, 6), abroad.status, abroad.body.code]).toEqual(['cs_ke_', 404, 2783])
  await uganda.stop()
})

test('returns 503, and never 404, while the ledger or the account service is away', async () => {
  const { username } = await host.merchant()
  const { username: abroad } = await host.foreigner('ug')
  await host.lose('ledger')
  const away = await host.ask(path(username))
  expect([away.status, away.body.code, away.headers['retry-after']]).toEqual([503, 2752, '1'])
  expect((await host.ask(path(abroad))).status).toBe(200)
  expect((await host.ask(path('unclaimed'))).status).toBe(404)
  await host.lose('auth')
  const nameless = await host.ask(path(username))
  expect([nameless.status, nameless.body.code]).toEqual([503, 1503])
})
