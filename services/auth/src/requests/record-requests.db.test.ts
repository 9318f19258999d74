import type { MerchantRequest } from '@malipo/contracts/proto/accounts/v1/account_service'
import type { RequestPage } from '@malipo/interface/hub'
import { authOfFile, type SignedInBrowser } from '../start.harness'

const { auth, database } = authOfFile()
let owner: SignedInBrowser
let shops = 0

beforeEach(async () => {
  owner = await auth.signedIn(`shop-${String((shops += 1))}`)
})

const request = (requestId: string, changes: Partial<MerchantRequest> = {}): MerchantRequest => ({
  requestId,
  accountId: owner.accountId,
  method: 'POST',
  path: '/v1/payments/merchant/checkouts',
  status: 201,
  code: 0,
  milliseconds: 12,
  at: new Date('2099-11-20T12:00:00Z'),
  ...changes,
})

async function list(query = ''): Promise<RequestPage> {
  return (await owner.get(`/requests${query}`)).body.data
}

test('shows recorded requests to their account, and finds one by its id', async () => {
  await auth.rpc.recordRequests({
    requests: [
      request('r-1'),
      request('r-2', { status: 422, code: 2702, at: new Date('2099-11-20T12:00:01Z') }),
      request('r-3', { accountId: 'acc_other' }),
    ],
  })
  const { requests } = await list()
  expect(requests).toEqual([
    expect.objectContaining({ request_id: 'r-2', status: 422, code: 2702 }),
    {
      request_id: 'r-1',
      method: 'POST',
      path: '/v1/payments/merchant/checkouts',
      status: 201,
      code: null,
      milliseconds: 12,
      at: '2099-11-20T12:00:00.000Z',
    },
  ])
  expect((await list('?request_id=r-1')).requests).toHaveLength(1)
  expect((await list('?request_id=r-3')).requests).toEqual([])
})

test('shows no request older than seven days, whether it is deleted yet or not', async () => {
  await database.pool.query(
    `INSERT INTO merchant_requests (request_id, account_id, method, path, status, code, milliseconds, at)
     SELECT 'days-' || days, $1, 'GET', '/', 200, 0, 1, now() - make_interval(days => days) FROM generate_series(5, 9) days`,
    [owner.accountId],
  )
  expect((await list()).requests.map((row) => row.request_id)).toEqual(['days-5', 'days-6'])
  expect((await list('?request_id=days-9')).requests).toEqual([])
})

test('ignores a repeated request', async () => {
  const once = request(`once-${owner.accountId}`)
  for (const status of [201, 500]) {
    await auth.rpc.recordRequests({ requests: [{ ...once, status }] })
  }
  expect((await list()).requests.map(({ status }) => status)).toEqual([201])
})

test('lists 50 requests at a time, each once', async () => {
  const requests = Array.from({ length: 70 }, (_, index) =>
    request(`${owner.accountId}-${String(index).padStart(2, '0')}`),
  )
  await auth.rpc.recordRequests({ requests })
  const first = await list()
  const second = await list(`?before=${first.requests.at(-1)?.request_id ?? ''}`)
  expect([first.requests.length, first.has_more]).toEqual([50, true])
  expect([second.requests.length, second.has_more]).toEqual([20, false])
  const ids = [...first.requests, ...second.requests].map((row) => row.request_id)
  expect(new Set(ids).size).toBe(70)
})

test.each([
  ['201 of them', Array.from({ length: 201 }, (_, index) => ({ requestId: String(index) }))],
  ['a long path', [{ path: 'x'.repeat(129) }]],
  ['one without an account', [{ accountId: '' }]],
])('refuses to record %s', async (_, changes) => {
  const requests = changes.map((change) => request('refused', change))
  await expect(auth.rpc.recordRequests({ requests })).rejects.toMatchObject({
    reason: 'invalid_request',
  })
})
