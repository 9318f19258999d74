import { openLog } from '@malipo/runtime/log'
import { openWorker } from '@malipo/runtime/queue'
import { eventually } from '@malipo/testing/eventually'
import { testRedisUrl } from '@malipo/testing/redis'
import type { Merchant } from '../merchants.harness'
import { type RunningHost, startHost } from '../start.harness'
import { send } from '../send.harness'

const secret = '0f4c8a5d2b7e4f1c9a6d3e8b5c2f7a10'
const provider = '196.201.214.200'

let host: RunningHost
let merchant: Merchant
let received: string[]
let worker: { close: () => Promise<void> }

beforeAll(async () => {
  host = await startHost({ businessNumber: '600100', c2bPathSecret: secret })
  merchant = await host.merchant()
  received = []
  const queue = {
    redisUrl: testRedisUrl(),
    prefix: host.queuePrefix,
    name: 'read-provider-message',
  }
  worker = openWorker({ ...queue, log: openLog('test', 'silent'), concurrency: 1 }, (id) =>
    Promise.resolve(received.push(id)),
  )
})
afterAll(async () => {
  await worker.close()
  await host.stop()
})

const call = (what: string, body: object | string, path = secret) =>
  send(`${host.callbackUrl}/callbacks/c2b/${path}/${what}`, {
    body: typeof body === 'string' ? body : JSON.stringify(body),
    from: provider,
  })

/** A checkout of KES 500.00, and the Pay Bill numbers that its payer page shows. */
async function order() {
  const { id } = await host.checkout(merchant, { amount: 50_000 })
  const { body } = await host.ask(`/v1/payments/public/checkouts/${id}`)
  return { id, paybill: body.data.checkout.paybill }
}

const bodyFor = (account: string, amount = '500.00') => ({
  TransID: 'UKK4RT61SY',
  TransAmount: amount,
  BillRefNumber: account,
  MSISDN: '2547 ***** 149',
})

test('shows a payer the business, the account and the steps', async () => {
  const { id, paybill } = await order()
  expect(paybill).toEqual({
    business_number: '600100',
    account_number: expect.stringMatching(/^CS\d{8}$/),
  })
  const { text } = await host.ask(`/c/${id}`)
  expect(text).toContain('Business number <b>600100</b>')
  expect(text).toContain(`Account number <b>${String(paybill.account_number)}</b>`)
  expect(text).toContain('Amount <b>500</b>')
})

test('leaves a payment open without credit on a confirmation with the path secret alone, and warns the payer not to pay again', async () => {
  const { id, paybill } = await order()
  const payment = { accountNumber: paybill.account_number, amountMinor: 50_000n }
  const receipt = await host.ledger.reportPayBill({ ...payment, isInStatement: false })
  const { body } = await host.ask(`/v1/payments/public/checkouts/${id}`)
  expect(body.data.checkout).toMatchObject({ status: 'open', intent_id: null })
  const { text } = await host.ask(`/c/${id}`)
  expect(text).toContain('data-screen="reported"')
  expect(text).toContain('Do not pay again')
  expect((await host.ask(`/c/${id}/state`)).body.data.screen).toBe('reported')
  await host.ledger.reportPayBill({ ...payment, receipt, isInStatement: true })
  expect((await host.ask(`/c/${id}`)).text).toContain('data-screen="paid"')
})

test('answers a validation from an unlisted address, without the value that a confirmation needs', async () => {
  const { paybill } = await order()
  const { body } = await send(`${host.callbackUrl}/callbacks/c2b/${secret}/validation`, {
    body: JSON.stringify(bodyFor(paybill.account_number)),
    from: '203.0.113.9',
  })
  expect(body).toEqual({ ResultCode: '0', ResultDesc: 'Accepted' })
})

test('hides the Pay Bill numbers from the merchant', async () => {
  const made = await host.checkout(merchant, { amount: 50_000 })
  expect(JSON.stringify(made)).not.toMatch(/CS\d{8}|600100/)
})

test('accepts a payment of the exact amount, and returns its reference', async () => {
  const { paybill } = await order()
  const { status, body } = await call('validation', bodyFor(paybill.account_number))
  expect([status, body]).toEqual([
    200,
    {
      ResultCode: '0',
      ResultDesc: 'Accepted',
      ThirdPartyTransID: expect.stringMatching(/^[0-9a-f]{16}$/),
    },
  ])
})

test.each([
  ['row 54: an unknown account', 'CS12345678', '500.00', 'C2B00012'],
  ['row 52: another amount', undefined, '499.00', 'C2B00013'],
  ['row 59: an invalid amount', undefined, '5,00', 'C2B00013'],
])('refuses %s', async (_, account, amount, code) => {
  const { paybill } = await order()
  const { body } = await call('validation', bodyFor(account ?? paybill.account_number, amount))
  expect(body).toEqual({ ResultCode: code, ResultDesc: 'Rejected' })
})

test('refuses an unreadable validation request', async () => {
  expect((await call('validation', '<html>')).body.ResultCode).toBe('C2B00016')
})

test('stores a confirmation unchanged, and enqueues a job', async () => {
  const { paybill } = await order()
  const sent = bodyFor(paybill.account_number)
  const { status, body } = await call('confirmation', sent)
  expect([status, body.ResultCode]).toEqual([200, 0])
  const messageId = await eventually('the job is enqueued', () => received.pop())
  const kept = await host.ledger.readProviderMessage({ messageId })
  expect(kept).toMatchObject({ rail: 'RAIL_PAYBILL', intentId: '', applied: false })
  expect(JSON.parse(kept.body.toString())).toEqual(sent)
})

test.each(['validation', 'confirmation'])(
  'row 61: %s returns 404 at a path with a wrong secret',
  async (what) => {
    for (const wrong of [secret.replace(/.$/, '1'), secret.slice(1), 'c2b', `${secret}0`]) {
      expect((await call(what, bodyFor('CS12345678'), wrong)).status).toBe(404)
    }
  },
)

test('accepts a payment to the till without an account, and refuses one to the Pay Bill number', async () => {
  const atTill = await startHost({ till: '832456', c2bPathSecret: secret })
  const ask = async ({ callbackUrl }: RunningHost) => {
    const body = JSON.stringify(bodyFor(''))
    const url = `${callbackUrl}/callbacks/c2b/${secret}/validation`
    return (await send(url, { body, from: provider })).body.ResultCode as unknown
  }
  expect([await ask(atTill), await ask(host)]).toEqual(['0', 'C2B00012'])
  await atTill.stop()
})

describe('a handle as the account', () => {
  const verdict = async (account: string, amount = '500.00') =>
    (await call('validation', bodyFor(account, amount))).body.ResultCode as unknown

  test('row 57: accepts a handle in any case, for any amount within the limits', async () => {
    const { handle } = await host.link(merchant, { title: 'Fees', amountMinor: 250_000n })
    for (const account of [merchant.username, handle, ` ${handle.toUpperCase()} `]) {
      expect(await verdict(account, '1.00')).toBe('0')
      expect(await verdict(account, '150000.00')).toBe('0')
      expect(await verdict(account, '0.99')).toBe('C2B00013')
      expect(await verdict(account, '150000.01')).toBe('C2B00013')
    }
  })

  test('row 57: refuses a handle when its link is closed, its wallet abroad, or its owner takes no payments', async () => {
    const link = await host.link(merchant)
    await link.close()
    const abroad = await host.foreigner('ug')
    const closed = await host.merchant()
    await host.takeNoPayments(closed)
    for (const account of [link.handle, abroad.username, closed.username, 'unclaimed']) {
      expect(await verdict(account)).toBe('C2B00012')
    }
  })
})

test('row 57: accepts any possible handle while handles cannot be looked up, and still checks account numbers', async () => {
  const { paybill } = await order()
  const other = await startHost({ businessNumber: '600100', c2bPathSecret: secret })
  await other.lose('auth')
  const ask = (account: string) =>
    send(`${other.callbackUrl}/callbacks/c2b/${secret}/validation`, {
      body: JSON.stringify(bodyFor(account)),
      from: provider,
    })
  expect((await ask(merchant.username)).body).toEqual({
    ResultCode: '0',
    ResultDesc: 'Accepted',
    ThirdPartyTransID: expect.stringMatching(/^[0-9a-f]{16}$/),
  })
  for (const account of [paybill.account_number, 'rent november']) {
    expect((await ask(account)).body.ResultCode).toBe('C2B00012')
  }
  await other.stop()
})

test('row 63: accepts a payment when the ledger does not answer in time', async () => {
  await host.lose('ledger')
  const { body } = await call('validation', bodyFor('CS12345678'))
  expect(body).toEqual({ ResultCode: '0', ResultDesc: 'Accepted' })
  expect((await call('confirmation', bodyFor('CS12345678'))).status).toBe(503)
})
