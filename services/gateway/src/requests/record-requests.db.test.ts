import { eventually } from '@malipo/testing/eventually'
import type { Merchant } from '../merchants.harness'
import { type RunningHost, startHost } from '../start.harness'

let host: RunningHost
let merchant: Merchant
const path = '/v1/payments/merchant/checkouts'

beforeAll(async () => {
  host = await startHost()
  merchant = await host.merchant()
})

afterAll(() => host.stop())

test("stores every answer to a merchant's key in the log of its account, and of no other", async () => {
  const { accountId, secretKey } = await host.merchant()
  const headers = { authorization: `Bearer ${secretKey}` }
  const made = await host.ask(path, { body: { amount: 50_000 }, headers })
  const refused = await host.ask(path, { body: { amount: 99 }, headers })
  const found = await host.ask(`${path}/${String(made.body.data.id)}`, { headers })
  await host.ask(path, { body: { amount: 50_000 }, headers: { authorization: 'Bearer unknown' } })
  const misread = await host.ask(path, { body: { amount: 'x' }, headers })
  const misnamed = await host.ask(`${path}/${'x'.repeat(300)}`, { headers })
  await host.ask(path, { body: { amount: 'x' }, headers: { authorization: 'Bearer unknown' } })

  const list = () => host.requestLog(accountId)
  const rows = await eventually('all five are there', async () => {
    const kept = await list()
    return kept.length === 5 && kept
  })
  const row = (reply: typeof made, change: object) => ({
    request_id: reply.headers['x-request-id'],
    account_id: accountId,
    method: 'POST',
    path,
    code: 0,
    milliseconds: expect.any(Number),
    at: expect.any(Date),
    ...change,
  })
  expect(rows).toEqual([
    row(made, { status: 201 }),
    row(refused, { status: 422, code: 2702 }),
    row(found, { status: 200, method: 'GET', path: `${path}/${String(made.body.data.id)}` }),
    row(misread, { status: 400, code: 1701 }),
    row(misnamed, {
      ...{ status: 400, code: 1701, method: 'GET' },
      path: `${path}/${'x'.repeat(300)}`.slice(0, 128),
    }),
  ])
  expect(JSON.stringify(rows)).not.toContain(secretKey)
})

test('returns 201 to a merchant while the accounts service is down', async () => {
  const { secretKey } = await host.merchant()
  await host.lose('auth')
  const headers = { authorization: `Bearer ${secretKey}` }
  expect((await host.ask(path, { body: { amount: 50_000 }, headers })).status).toBe(201)
})

test('returns the same 400 with and without a valid key, before the key service is asked', async () => {
  const headers = { authorization: `Bearer ${merchant.secretKey}` }
  await host.lose('keys')
  const refusals = [headers, {}].map((sent) => host.ask(path, { body: {}, headers: sent }))
  const [known, unknown] = await Promise.all(refusals)
  const bare = (reply: typeof known) => ({ ...reply?.body, request_id: '' })
  expect([known?.status, bare(known)]).toEqual([400, bare(unknown)])
})
