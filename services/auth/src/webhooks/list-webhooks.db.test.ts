import type { NewWebhookSecretView, WebhooksView } from '@malipo/interface/hub'
import { systemClock } from '@malipo/runtime/clock'
import { eventually } from '@malipo/testing/eventually'
import { upstreamsOfFile } from '../upstreams.harness'
import { authOfFile, type SignedInBrowser } from '../start.harness'

const ledger = upstreamsOfFile()
const { auth, database } = authOfFile(ledger)
let owner: SignedInBrowser
let shops = 0

beforeEach(async () => {
  owner = await auth.signedIn(`hooks-${String((shops += 1))}`, { pin: '9274' })
})

const url = 'https://shop.example/webhooks?shop=1'
const add = async (changes: object = {}) =>
  owner.post('/webhooks', { pin: '9274', url, ...changes })
const list = async (): Promise<WebhooksView> => (await owner.get('/webhooks')).body.data

async function added(changes?: object): Promise<NewWebhookSecretView> {
  const { status, body } = await add(changes)
  expect(status).toBe(201)
  return body.data
}

/** Records a delivery as a worker does. */
async function attempt(deliveryId: string, answerStatus: number): Promise<void> {
  await ledger.ledger.beginDelivery({ deliveryId })
  const outcome = { $case: 'answerStatus', value: answerStatus } as const
  await ledger.ledger.recordDelivery({ deliveryId, outcome, durationMs: 40 })
}

async function tested(endpointId: string): Promise<string> {
  expect((await owner.post(`/webhooks/${endpointId}/test`)).status).toBe(202)
  return (await list()).deliveries[0]?.delivery_id ?? ''
}

test('lists no endpoint until the owner adds one with the PIN', async () => {
  expect(await list()).toEqual({ endpoints: [], deliveries: [] })
  expect((await add({ pin: '0000' })).body.code).toBe(3002)
  expect(await list()).toEqual({ endpoints: [], deliveries: [] })
})

test('lists an added endpoint as enabled, without its secret, and writes only its host to the audit log', async () => {
  const { endpoint_id: endpointId, secret } = await added()
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect((await list()).endpoints).toEqual([
    {
      endpoint_id: endpointId,
      url,
      created_at: expect.any(String),
      off_because: null,
      off_at: null,
      failing_since: null,
      previous_secret_until: null,
    },
  ])
  const { rows } = await database.pool.query(
    `SELECT subject FROM audit_events WHERE action = 'webhook_added' AND account_id = $1`,
    [owner.accountId],
  )
  expect(rows).toEqual([{ subject: 'shop.example' }])
})

test.each(['http://shop.example/', 'shop.example', 'https://a:b@shop.example/'])(
  'refuses the address %s, and says what to do',
  async (wrong) => {
    const { status, body } = await add({ url: wrong })
    expect([status, body.code]).toEqual([400, 1701])
    expect(JSON.stringify(body)).toContain('must')
    expect((await list()).endpoints).toEqual([])
  },
)

test.each([
  'https://shop.example:443/hook',
  'HTTPS://Shop.example/hook',
  'https:/shop.example/hook',
  'https:shop.example/hook',
  ' https://shop.example/hook',
])(
  'adds the address "%s" as https://shop.example/hook, and refuses it a second time',
  async (typed) => {
    const hook = 'https://shop.example/hook'
    await added({ url: typed })
    expect((await list()).endpoints).toMatchObject([{ url: hook }])
    expect((await add({ url: hook })).status).toBe(400)
    // Earlier releases stored what was typed.
    await database.pool.query(
      "UPDATE webhook_endpoints SET url = 'https://shop.example:443/hook' WHERE account_id = $1",
      [owner.accountId],
    )
    expect((await add({ url: hook })).status).toBe(400)
  },
)

test('adds an address whose host is longer than a subject of the audit log', async () => {
  await added({ url: `https://${'a'.repeat(60)}.shop.example/` })
  expect((await owner.actions())[0]).toBe('webhook_added')
})

test('adds an address once, however often it is sent, and says how to get a secret', async () => {
  const { endpoint_id: endpointId } = await added()
  const { status, body } = await add()
  const message = 'is added already: rotate its secret to get one'
  expect([status, body.errors]).toEqual([400, [{ path: 'url', message }]])
  expect((await list()).endpoints).toMatchObject([{ endpoint_id: endpointId }])
})

test('refuses a sixth endpoint, also when the fifth and the sixth are added at once', async () => {
  const other = (number: number) => ({ url: `https://shop.example/${String(number)}` })
  for (let number = 1; number < 5; number += 1) await added(other(number))
  const holder = await database.pool.connect()
  // Without the lock of the account, both would count before either is inserted.
  await holder.query('BEGIN; LOCK TABLE webhook_endpoints IN SHARE ROW EXCLUSIVE MODE')
  let areAnswered = false
  const both = Promise.all([add(other(5)), add(other(6))]).finally(() => (areAnswered = true))
  // If both requests are answered before they wait, the check of their statuses below fails.
  await eventually('both wait for a lock', async () => {
    const { rowCount } = await database.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return areAnswered || (rowCount ?? 0) >= 2
  })
  await holder.query('COMMIT')
  holder.release()
  expect((await both).map(({ status }) => status).sort()).toEqual([201, 400])
  expect((await list()).endpoints).toHaveLength(5)
})

test('shows a delivery with type, answer and duration, and resends it', async () => {
  const { endpoint_id: endpointId } = await added()
  const deliveryId = await tested(endpointId)
  await attempt(deliveryId, 204)
  const shown = {
    delivery_id: deliveryId,
    endpoint_id: endpointId,
    type: 'webhook.test',
    subject_id: endpointId,
    status: 'delivered',
    attempts: 1,
    answer_status: 204,
    failure: null,
    duration_ms: 40,
    next_attempt_at: null,
  }
  expect((await list()).deliveries).toMatchObject([shown])
  expect((await owner.post(`/deliveries/${deliveryId}/resend`)).status).toBe(202)
  expect((await list()).deliveries).toMatchObject([{ status: 'pending', attempts: 0 }])
})

test('sends no second test event while one waits for the endpoint', async () => {
  const { endpoint_id: endpointId } = await added()
  const deliveryId = await tested(endpointId)
  expect((await owner.post(`/webhooks/${endpointId}/test`)).status).toBe(202)
  expect((await list()).deliveries.map(({ delivery_id }) => delivery_id)).toEqual([deliveryId])
})

test('resends all events that an endpoint refused since a time, and returns how many', async () => {
  const { endpoint_id: endpointId } = await added()
  await attempt(await tested(endpointId), 500)
  const resend = (since: unknown) => owner.post(`/webhooks/${endpointId}/resend`, { since })
  const ago = (ms: number) => new Date(systemClock.now() - ms).toISOString()
  const { status, body } = await resend(ago(3_600_000))
  expect([status, body.data]).toEqual([202, { resent: 1, has_more: false }])
  expect((await list()).deliveries).toMatchObject([{ status: 'pending', attempts: 0 }])
  for (const wrong of [ago(31 * 86_400_000), ago(-60_000), 'yesterday', undefined]) {
    expect((await resend(wrong)).body.code).toBe(1701)
  }
})

test('shows that an endpoint answered 410, and enables it again', async () => {
  const { endpoint_id: endpointId } = await added()
  await attempt(await tested(endpointId), 410)
  expect((await list()).endpoints).toMatchObject([
    { off_because: 'gone', off_at: expect.any(String) },
  ])
  expect((await owner.post(`/webhooks/${endpointId}/test`)).status).toBe(400)
  await owner.post(`/webhooks/${endpointId}/switch-on`)
  expect((await list()).endpoints).toMatchObject([{ off_because: null, off_at: null }])
  expect((await owner.actions())[0]).toBe('webhook_switched_on')
})

test('removes an endpoint with its deliveries', async () => {
  const { endpoint_id: endpointId } = await added()
  await tested(endpointId)
  expect((await owner.post(`/webhooks/${endpointId}/remove`)).status).toBe(200)
  expect(await list()).toEqual({ endpoints: [], deliveries: [] })
  expect((await owner.actions()).slice(0, 2)).toEqual(['webhook_removed', 'webhook_added'])
})

test("changes nothing of another account's endpoint or delivery", async () => {
  const { endpoint_id: endpointId } = await added()
  const deliveryId = await tested(endpointId)
  const shown = await list()
  const other = await auth.signedIn(`other-${String(shops)}`, { pin: '9274' })
  const tries = [
    ...['remove', 'switch-on', 'test'].map((what) => `/webhooks/${endpointId}/${what}`),
    `/deliveries/${deliveryId}/resend`,
  ]
  for (const path of tries) expect((await other.post(path)).status).toBe(400)
  expect((await other.post(`/webhooks/${endpointId}/rotate`, { pin: '9274' })).status).toBe(400)
  const since = { since: new Date(systemClock.now() - 60_000).toISOString() }
  expect((await other.post(`/webhooks/${endpointId}/resend`, since)).status).toBe(400)
  expect(await list()).toEqual(shown)
})

test('returns 503 and adds no endpoint while the ledger of its cell is not configured', async () => {
  await database.pool.query('UPDATE accounts SET cell = 7 WHERE account_id = $1', [owner.accountId])
  expect((await add()).status).toBe(503)
  const { rows } = await database.pool.query(
    'SELECT FROM webhook_endpoints WHERE account_id = $1',
    [owner.accountId],
  )
  expect(rows).toEqual([])
})

test('returns 503 and adds no endpoint while the ledger is down, and logs the addition and its removal', async () => {
  await ledger.lose('ledger')
  expect((await add()).status).toBe(503)
  const { rows } = await database.pool.query(
    'SELECT FROM webhook_endpoints WHERE account_id = $1',
    [owner.accountId],
  )
  expect(rows).toEqual([])
  expect((await owner.actions()).slice(0, 2)).toEqual(['webhook_removed', 'webhook_added'])
  await ledger.bringBack('ledger')
})
