import { randomBytes } from 'node:crypto'
import { cellOf, cellPrefix } from '@malipo/kernel/cells'
import { openLog } from '@malipo/runtime/log'
import { openWorker } from '@malipo/runtime/queue'
import { eventually } from '@malipo/testing/eventually'
import { testRedisUrl } from '@malipo/testing/redis'
import { Redis } from 'ioredis'
import type { LedgerDriver } from '../ledger-driver.harness'
import type { Merchant } from '../merchants.harness'
import { type Reply, send } from '../send.harness'
import { anyPhone, type RunningHost, startHost } from '../start.harness'
import { type FurtherCell, startFurtherCell } from './further-cell.harness'

const secret = '0f4c8a5d2b7e4f1c9a6d3e8b5c2f7a10'
const provider = '196.201.214.200'
const merchantPath = '/v1/payments/merchant/checkouts'
const publicPath = '/v1/payments/public'

let further: FurtherCell
let host: RunningHost
let merchants: readonly [Merchant, Merchant]
let ledgers: readonly [LedgerDriver, LedgerDriver]

beforeAll(async () => {
  further = await startFurtherCell(1, '600200')
  const here = { businessNumber: '600100', c2bPathSecret: secret, furtherCells: [further] }
  host = await startHost(here, undefined, { CELL: '0' })
  ledgers = [host.ledger, further.ledger]
  merchants = [await host.merchant(), await host.merchant()]
})
afterAll(async () => {
  await host.stop()
  await further.stop()
})

const order = (merchant: Merchant) => host.checkout(merchant, { amount: 50_000 })
const retrieve = ({ secretKey }: Merchant, id: string) =>
  host.ask(`${merchantPath}/${id}`, { headers: { authorization: `Bearer ${secretKey}` } })
const codeOf = ({ status, body }: Reply) => [status, body.code]

const both = [0, 1] as const

test('an account is made in the cell that has the fewest accounts', () => {
  expect(merchants.map(({ cell }) => cell)).toEqual([0, 1])
})

test.each(both)(
  'creates and pays a checkout of cell %i in that cell, with ids that begin with its number',
  async (cell) => {
    const { id } = await order(merchants[cell])
    const { intentId } = await host.startPayment(id)
    const receipt = await ledgers[cell].pay(await ledgers[cell].submit(intentId), 50_000n)
    expect([cellOf(id), cellOf(intentId)]).toEqual([cell, cell])
    expect((await retrieve(merchants[cell], id)).body.data).toMatchObject({
      status: 'completed',
      payment: { intent_id: intentId, provider_receipt: receipt },
    })
    const { body } = await host.ask(`${publicPath}/intents/${intentId}`)
    expect(body.data).toMatchObject({ status: 'completed', amount_settled: '50000' })
    expect((await host.ask(`/c/${id}`)).text).toContain('data-screen="paid"')
  },
)

test.each(both)(
  'pays a handle of cell %i in that cell, and shows the Pay Bill number of that cell',
  async (cell) => {
    const { username } = merchants[cell]
    const paid = await host.ask(`${publicPath}/checkout`, {
      body: { handle: username, amount: 20_000, phone: anyPhone() },
      headers: { 'idempotency-key': randomBytes(8).toString('hex') },
    })
    expect([paid.status, cellOf(paid.body.data.intent_id)]).toEqual([202, cell])
    const business = cell === 0 ? '600100' : '600200'
    const resolved = await host.ask(`${publicPath}/handles/${username}`)
    expect(resolved.body.data).toMatchObject({ paybill: business, accepting: true })
    const { id } = await order(merchants[cell])
    const read = await host.ask(`${publicPath}/checkouts/${id}`)
    expect(read.body.data.checkout.paybill.business_number).toBe(business)
    expect((await host.ask(`/c/${id}`)).text).toContain(`Business number <b>${business}</b>`)
    expect((await host.ask(`/p/${username}`)).text).toContain(business)
  },
)

test.each(both)('stores a callback of cell %i in that cell, and wakes its worker', async (cell) => {
  const received: string[] = []
  const queue = { redisUrl: testRedisUrl(), prefix: cellPrefix(host.queuePrefix, cell) }
  const named = { ...queue, name: 'read-provider-message', log: openLog('test', 'silent') }
  const worker = openWorker({ ...named, concurrency: 1 }, (id) =>
    Promise.resolve(received.push(id)),
  )
  const { id } = await order(merchants[cell])
  const token = await ledgers[cell].submit((await host.startPayment(id)).intentId)
  const post = (path: string) =>
    send(`${host.callbackUrl}${path}`, { body: { TransID: 'UKK4RT61SY' }, from: provider })
  const menu = `${cell === 0 ? '' : '/cells/1'}/callbacks/c2b/${secret}/confirmation`
  expect((await post(`/callbacks/${token}`)).status).toBe(200)
  expect((await post(menu)).status).toBe(200)
  await eventually('both are read', () => Promise.resolve(received.length === 2))
  const stored = received.map((messageId) => ledgers[cell].readProviderMessage({ messageId }))
  expect((await Promise.all(stored)).map(({ body }) => body.toString())).toEqual([
    '{"TransID":"UKK4RT61SY"}',
    '{"TransID":"UKK4RT61SY"}',
  ])
  await worker.close()
})

test('takes a Pay Bill payment to a handle by the number of its own cell only', async () => {
  const confirmation = { TransID: 'UKK4RT61SZ', TransAmount: '500.00', MSISDN: '2547 ***** 149' }
  const judge = (cell: string, { username }: Merchant) =>
    send(`${host.callbackUrl}${cell}/callbacks/c2b/${secret}/validation`, {
      body: { ...confirmation, BillRefNumber: username },
      from: provider,
    })
  const answers = [
    await judge('', merchants[0]),
    await judge('/cells/1', merchants[1]),
    await judge('', merchants[1]),
    await judge('/cells/1', merchants[0]),
  ]
  expect(answers.map(({ body }) => body.ResultCode)).toEqual(['0', '0', 'C2B00012', 'C2B00012'])
  expect((await judge('/cells/x', merchants[0])).status).toBe(404)
})

test('returns 404 for an unknown id of every cell, and 404 2783 for a checkout of another cell', async () => {
  for (const cell of ['00', '01', '02', 'ff']) {
    const end = `${cell}0000000000000000000000`
    expect(codeOf(await host.ask(`${publicPath}/checkouts/cs_ke_${end}`))).toEqual([404, 2783])
    expect(codeOf(await host.ask(`${publicPath}/intents/pi_${end}`))).toEqual([404, 2706])
    expect(codeOf(await retrieve(merchants[1], `cs_ke_${end}`))).toEqual([404, 2783])
    const callback = await send(`${host.callbackUrl}/callbacks/${end}${'a'.repeat(32)}`, {
      body: {},
    })
    expect(callback.status).toBe(404)
  }
  const { id } = await order(merchants[0])
  expect(codeOf(await retrieve(merchants[1], id))).toEqual([404, 2783])
})

test('a page of a further cell whose merchant was frozen says that the payment is kept', async () => {
  const made = [await host.merchant(), await host.merchant()]
  const frozen = made.find(({ cell }) => cell === 1)
  if (frozen === undefined) throw new Error('no account was made in cell 1')
  const { id } = await order(frozen)
  await further.freezeWallet(frozen.accountId)
  const { status, text } = await host.ask(`/c/${id}`)
  expect([cellOf(id), status]).toEqual([1, 404])
  expect(text).toContain('do not pay again')
})

test('an id made before there were cells is read and paid in the first, whatever it begins with', async () => {
  for (const digits of ['01', 'ab']) {
    const { id } = await order(merchants[0])
    const old = `cs_ke_${digits}${randomBytes(11).toString('hex')}`
    await host.rows(`
      INSERT INTO checkouts SELECT (jsonb_populate_record(c, '{"id":"${old}"}')).* FROM checkouts c WHERE id = '${id}'`)
    const { intentId } = await host.startPayment(old)
    await ledgers[0].pay(await ledgers[0].submit(intentId), 50_000n)
    expect((await retrieve(merchants[0], old)).body.data.status).toBe('completed')
    const read = await host.ask(`${publicPath}/checkouts/${old}`)
    expect(read.body.data.checkout).toMatchObject({ id: old, status: 'completed' })
  }
})

test('a phone gets five prompts an hour over all cells, and a replay takes none', async () => {
  const phone = anyPhone()
  const pay = async (merchant: Merchant, key = randomBytes(8).toString('hex')) => {
    const { id } = await order(merchant)
    const path = `${publicPath}/checkouts/${id}/pay`
    const press = () => host.ask(path, { body: { phone }, headers: { 'idempotency-key': key } })
    return { answer: await press(), press }
  }
  const [first, second] = merchants
  const paid = [await pay(first), await pay(second), await pay(first), await pay(second)]
  const again = [await paid[0]?.press(), await paid[1]?.press()]
  const { username } = second
  const fifth = await host.ask(`${publicPath}/checkout`, {
    body: { handle: username, amount: 20_000, phone },
    headers: { 'idempotency-key': randomBytes(8).toString('hex') },
  })
  const refused = [await pay(first), await pay(second)]
  expect([...paid.map(({ answer }) => answer.status), fifth.status]).toEqual([
    202, 202, 202, 202, 202,
  ])
  expect(again.map((answer) => answer?.status)).toEqual([200, 200])
  expect(refused.map(({ answer }) => codeOf(answer))).toEqual([
    [429, 1804],
    [429, 1804],
  ])
  expect((await paid[3]?.press())?.status).toBe(200)
  const redis = new Redis(testRedisUrl())
  const keys = await redis.keys(`${host.queuePrefix}:limit:phone:*`)
  redis.disconnect()
  expect(keys.length).toBeGreaterThan(0)
  expect(keys.filter((key) => key.includes(phone))).toEqual([])
})

test('returns 503 with Retry-After for a cell whose ledger is down, and serves the other cells', async () => {
  const { id } = await order(merchants[1])
  const { intentId } = await host.startPayment(id)
  await further.lose()
  const away = [
    await host.ask(`${publicPath}/checkouts/${id}`),
    await host.ask(`${publicPath}/intents/${intentId}`),
    await retrieve(merchants[1], id),
    await host.ask(`${publicPath}/checkouts/cs_ke_010000000000000000000000`),
  ]
  expect(away.map(codeOf)).toEqual(away.map(() => [503, 2752]))
  expect(away.map(({ headers }) => headers['retry-after'])).toEqual(
    away.map(() => expect.stringMatching(/^[1-9]/)),
  )
  const lives = await order(merchants[0])
  const paid = await host.startPayment(lives.id)
  await ledgers[0].pay(await ledgers[0].submit(paid.intentId), 50_000n)
  expect((await retrieve(merchants[0], lives.id)).body.data.status).toBe('completed')
  const unknown = await host.ask(`${publicPath}/checkouts/cs_ke_000000000000000000000000`)
  expect(codeOf(unknown)).toEqual([404, 2783])
})
