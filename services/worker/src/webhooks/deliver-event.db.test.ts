import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Log, openLog } from '@malipo/runtime/log'
import type { Started } from '@malipo/runtime/process'
import { verifyWebhook } from '@malipo/sdk'
import { eventually } from '@malipo/testing/eventually'
import { openReceiver, type Receiver, verified } from '@malipo/testing/webhook-receiver'
import { openSurroundings, type Surroundings } from '../start.harness'

/** Delivers events between a real ledger, a real auth service and a merchant's server on this machine. */

const runSource = join(__dirname, '../../../../packages/testing/bin/run-source.mjs')

let around: Surroundings
let worker: Started | undefined
let receiver: Receiver

beforeAll(async () => {
  around = await openSurroundings()
})

beforeEach(async () => {
  receiver = await openReceiver()
})

afterEach(async () => {
  await worker?.stop()
  worker = undefined
  await receiver.stop()
})

afterAll(() => around.stop())

const startWorker = async (changes: Readonly<Record<string, string>> = {}, log?: Log) => {
  worker = await around.startWorker({ WEBHOOK_LOOPBACK: 'true', ...changes }, log)
}

/** An account whose events go to the receiver. */
async function listener(url = receiver.url) {
  const owner = await around.accounts.add()
  return { ...owner, ...(await around.accounts.listen(owner.handle, url)) }
}

async function paid(accountId: string): Promise<string> {
  return (await around.pay(await around.addPhone(), accountId)).checkoutId
}

const got = (count: number) =>
  eventually(`${String(count)} requests`, () => receiver.received.length >= count)

interface Row {
  readonly id: string
  readonly status: string
  readonly attempts: number
  readonly answer_status: number | null
  readonly failure: string | null
}

async function deliveries(endpointId: string): Promise<Row[]> {
  const { rows } = await around.database.pool.query<Row>(
    `SELECT id, status, attempts, answer_status, failure FROM webhook_deliveries
     WHERE endpoint_id = $1 ORDER BY created_at`,
    [endpointId],
  )
  return rows
}

const becomes = (endpointId: string, row: Partial<Row>) =>
  eventually(`the delivery is ${JSON.stringify(row)}`, async () => {
    const [found] = await deliveries(endpointId)
    return Object.entries(row).every(([name, value]) => found?.[name as keyof Row] === value)
  })

/** Makes the pending deliveries of an endpoint due now. */
async function skipWait(endpointId: string): Promise<void> {
  await around.database.pool.query(
    `UPDATE webhook_deliveries SET next_action_at = now(), leased_until = NULL
     WHERE endpoint_id = $1 AND status = 'pending'`,
    [endpointId],
  )
}

test('a payment reaches its merchant as a signed event that the public library and the SDK verify', async () => {
  await startWorker()
  const own = await listener()
  const checkoutId = await paid(own.accountId)
  await got(1)
  const [request] = receiver.received
  if (request === undefined) throw new Error('nothing was received')
  const event = verified(own.secret, request)
  expect(verifyWebhook(request.body, request.headers, own.secret)).toEqual(event)
  expect(event).toEqual({
    type: 'checkout.completed',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    data: { id: checkoutId },
  })
  expect(request.headers['content-type']).toBe('application/json')
  expect(request.headers['webhook-id']).toMatch(/^evt_[0-9a-f]{24}$/)
  await becomes(own.endpointId, { status: 'delivered', attempts: 1, answer_status: 200 })
})

test('an event is sent at once, not at the next sweep', async () => {
  await startWorker({ SWEEP_SECONDS: '3600' })
  const own = await listener()
  await paid(own.accountId)
  await got(1)
  await becomes(own.endpointId, { status: 'delivered' })
})

test('both secrets verify during a rotation, and no other does', async () => {
  await startWorker()
  const own = await listener()
  const other = await listener()
  const rotated = await own.rotate()
  await paid(own.accountId)
  await got(1)
  const [request] = receiver.received
  if (request === undefined) throw new Error('nothing was received')
  expect(verified(rotated, request)).toEqual(verified(own.secret, request))
  expect(() => verified(other.secret, request)).toThrow('No matching signature found')
})

test('an event answered with 500 is sent again with the same id', async () => {
  await startWorker()
  receiver.answers(() => ({ status: 500 }))
  const own = await listener()
  await paid(own.accountId)
  await becomes(own.endpointId, { status: 'pending', attempts: 1, answer_status: 500 })
  receiver.answers(() => ({ status: 204 }))
  await around.database.pool.query(
    "UPDATE webhook_events SET created_at = created_at - interval '1 hour' WHERE account_id = $1",
    [own.accountId],
  )
  await skipWait(own.endpointId)
  await becomes(own.endpointId, { status: 'delivered', attempts: 2, answer_status: 204 })
  // The public library accepts signatures of the last five minutes: each attempt is signed anew.
  for (const request of receiver.received) verified(own.secret, request)
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect([ids.length, new Set(ids).size]).toEqual([2, 1])
})

test('a redirect counts as an answer, and is not followed', async () => {
  await startWorker()
  const elsewhere = await openReceiver()
  receiver.answers(() => ({ status: 307, location: elsewhere.url }))
  const own = await listener()
  await paid(own.accountId)
  await becomes(own.endpointId, { status: 'pending', answer_status: 307 })
  expect(elsewhere.received).toEqual([])
  await elsewhere.stop()
})

test('an endpoint that never answers delays no other', async () => {
  await startWorker()
  receiver.answers(() => undefined)
  const slow = await listener()
  for (let count = 0; count < 9; count += 1) await paid(slow.accountId)
  await got(8)
  const quick = await openReceiver()
  await paid((await listener(quick.url)).accountId)
  await eventually('the other is told', () => quick.received.length === 1)
  // The ninth is sent only once the eight before it have timed out.
  expect(receiver.received).toHaveLength(8)
  await quick.stop()
})

test('gives up a delivery to an endpoint that auth does not know', async () => {
  await startWorker()
  const { accountId } = await around.accounts.add()
  const endpointId = `we_${randomBytes(12).toString('hex')}`
  await around.database.pool.query(
    'INSERT INTO webhook_endpoints (id, account_id) VALUES ($1, $2)',
    [...[endpointId, accountId]],
  )
  await paid(accountId)
  await becomes(endpointId, { status: 'given_up', failure: 'endpoint_unknown' })
})

test('the log shows no address, body or secret of a webhook', async () => {
  const lines: string[] = []
  const log = openLog('test', 'debug', { write: (line) => lines.push(line) })
  await startWorker({}, log)
  const own = await listener(`${receiver.url}?own-secret=1`)
  await paid(own.accountId)
  await becomes(own.endpointId, { status: 'delivered' })
  const logged = lines.filter(
    (line) => line.includes('webhook delivery') && line.includes(own.endpointId),
  )
  expect(logged.map((line) => Object.keys(JSON.parse(line) as object).sort())).toEqual([
    expect.arrayContaining(['deliveryId', 'endpointId', 'eventId', 'kind', 'status', 'type']),
  ])
  const secret = own.secret.slice('whsec_'.length)
  const forms = [secret, Buffer.from(secret, 'base64').toString('hex')]
  for (const text of ['own-secret', '/webhooks', '"data":{', '\\"data\\":{', 'v1,', ...forms]) {
    expect(lines.filter((line) => line.includes(text))).toEqual([])
  }
})

test('nothing is sent to this machine without the local-stack setting', async () => {
  await startWorker({ WEBHOOK_LOOPBACK: 'false' })
  const own = await listener()
  await paid(own.accountId)
  await becomes(own.endpointId, { status: 'pending', failure: 'https_required' })
  expect(receiver.received).toEqual([])
})

test('an event waits two minutes at most once auth is back, and no attempt is counted', async () => {
  const lines: string[] = []
  const own = await listener()
  await startWorker({}, openLog('test', 'warn', { write: (line) => lines.push(line) }))
  await around.accounts.leave()
  await paid(own.accountId)
  const { id } = await eventually('it waits', async () => (await deliveries(own.endpointId))[0])
  // Events of the other tests wait too, so their lines are left out.
  const isOwn = (line: string) => line.includes('"job":"deliver-event"') && line.includes(id)
  const postponed = (times: number) =>
    eventually(`it was begun ${String(times)} times`, () => lines.filter(isOwn).length >= times)
  for (const times of [1, 2, 3]) {
    await postponed(times)
    await skipWait(own.endpointId)
  }
  await postponed(4)
  await around.accounts.comeBack()
  const { rows } = await around.database.pool.query<{ wait: number }>(
    `SELECT extract(epoch FROM next_action_at - clock_timestamp())::float8 AS wait
     FROM webhook_deliveries WHERE endpoint_id = $1`,
    [own.endpointId],
  )
  expect(rows[0]?.wait).toBeLessThanOrEqual(120)
  expect(await deliveries(own.endpointId)).toMatchObject([{ status: 'pending', attempts: 0 }])
  await eventually('it is delivered', async () => {
    // The worker notices after a moment that the service is back, and may postpone the event once more.
    await skipWait(own.endpointId)
    const [found] = await deliveries(own.endpointId)
    return found?.status === 'delivered'
  })
  expect(await deliveries(own.endpointId)).toMatchObject([{ attempts: 1, answer_status: 200 }])
})

test('an event sent by a worker that is then killed is sent again by another, with the same id', async () => {
  receiver.answers(() => undefined)
  const own = await listener()
  const killed = spawn(process.execPath, [
    '--conditions=@malipo/source',
    runSource,
    require.resolve('../worker-process.harness'),
    JSON.stringify(around.workerVariables({ WEBHOOK_LOOPBACK: 'true' })),
  ])
  await paid(own.accountId)
  await got(1)
  killed.kill('SIGKILL')
  await new Promise((resolve) => killed.once('exit', resolve))
  expect(await deliveries(own.endpointId)).toMatchObject([{ status: 'pending', attempts: 0 }])
  receiver.answers(() => ({ status: 200 }))
  await startWorker()
  await skipWait(own.endpointId)
  await becomes(own.endpointId, { status: 'delivered', attempts: 1 })
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect([ids.length, new Set(ids).size]).toEqual([2, 1])
  for (const request of receiver.received) verified(own.secret, request)
})
