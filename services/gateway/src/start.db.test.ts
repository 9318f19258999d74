import { ofFile } from '@malipo/testing/lazily'
import { send } from './send.harness'
import { startHost } from './start.harness'

const host = ofFile(() => startHost())

test('reports live and ready, and serves metrics, on a port that is not the public one', async () => {
  expect((await send(`${host.adminUrl}/livez`)).text).toBe('live\n')
  expect((await send(`${host.adminUrl}/readyz`)).text).toBe('ready\n')
  await host.ask('/v1/payments/public/intents/pi_unknown')
  expect((await send(`${host.adminUrl}/metrics`)).text).toContain(
    'malipo_http_seconds_count{route="get /v1/payments/public/intents/:id",status="404"}',
  )
})

test('sends Strict-Transport-Security on JSON, callbacks and pages, and on errors of each', async () => {
  const { id } = await host.checkout(await host.merchant(), { amount: 50_000 })
  const urls = [
    `${host.url}/v1/payments/public/checkouts/${id}`,
    `${host.url}/v1/payments/public/checkouts/unknown`,
    `${host.url}/nowhere`,
    `${host.url}/c/${id}`,
    `${host.callbackUrl}/callbacks/unknown`,
  ]
  for (const url of urls) {
    const { headers } = await send(url)
    const header = headers['strict-transport-security']
    expect([url, header]).toEqual([url, 'max-age=31536000; includeSubDomains'])
  }
})

test('returns 404 on the host of one country for a checkout of the other, and 401 for its key', async () => {
  const ug = await startHost({ country: 'ug' })
  const merchant = await ug.merchant()
  const checkout = await ug.checkout(merchant, { amount: 500_000_000 })
  expect(checkout).toMatchObject({ currency: 'UGX', id: expect.stringMatching(/^cs_ug_/) })

  const here = await ug.ask(`/v1/payments/public/checkouts/${checkout.id}`)
  expect(here.body.data).toMatchObject({ checkout: { paybill: null }, payee: { paybill: null } })
  const there = await host.ask(`/v1/payments/public/checkouts/${checkout.id}`)
  expect([there.status, there.body.code]).toEqual([404, 2783])
  const path = `/v1/payments/merchant/checkouts/${checkout.id}`
  const withKey = { headers: { authorization: `Bearer ${merchant.secretKey}` } }
  expect((await host.ask(path, withKey)).status).toBe(401)
  expect((await ug.ask(path, withKey)).body.data).toEqual(checkout)

  for (const amount of [99, 150, 500_000_100]) {
    const reply = await ug.ask('/v1/payments/merchant/checkouts', { body: { amount }, ...withKey })
    expect([amount, reply.status, reply.body.code]).toEqual([amount, 422, 2702])
  }
  await ug.stop()
})

test('stops, and finishes running requests', async () => {
  const short = await startHost()
  const { id } = await short.checkout(await short.merchant(), { amount: 50_000 })
  const path = `/v1/payments/public/checkouts/${id}`
  // One request comes first: twenty that share the wait for a first connection may pass the ledger's deadline
  // together.
  expect((await short.ask(path)).status).toBe(200)
  const replies = Promise.all(Array.from({ length: 20 }, () => short.ask(path)))
  const first = await short.ask('/v1')
  await short.stop()
  expect(first.status).toBe(404)
  expect((await replies).map((reply) => reply.status)).toEqual(Array<number>(20).fill(200))
  await expect(short.ask('/')).rejects.toThrow('ECONNREFUSED')
})
