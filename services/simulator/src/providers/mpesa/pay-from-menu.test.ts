import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHash } from 'node:crypto'
import { eventually } from '@malipo/testing/eventually'
import type { Config } from '../../config'
import { amina, mpesa, startSimulator, type RunningSimulator } from '../../start.harness'
import { fixture, shapeOf } from './fixtures.harness'

let sim: RunningSimulator
let merchant: Merchant
beforeEach(async () => {
  sim = await startSimulator()
  merchant = await openMerchant()
})
afterEach(async () => {
  await sim.stop()
  await merchant.stop()
})

type Message = Record<string, string>

/** A merchant's server: the validations and confirmations it received, and its answers. */
interface Merchant {
  readonly url: string
  readonly request: Message[]
  readonly confirmed: Message[]
  answer: object | string
  stop(): Promise<void>
}

async function openMerchant(): Promise<Merchant> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Message
      const isQuestion = request.url === '/c2b/validation'
      ;(isQuestion ? opened.request : opened.confirmed).push(body)
      const { answer } = opened
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const opened: Merchant = {
    url: `http://127.0.0.1:${String(port)}/c2b`,
    request: [],
    confirmed: [],
    answer: { ResultCode: '0', ResultDesc: 'Accepted', ThirdPartyTransID: '5b1d2c7a90e84f36' },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
  return opened
}

async function register(version = 'v2', fields: object = {}, url = merchant.url) {
  const body = {
    ShortCode: '174379',
    ResponseType: 'Completed',
    ConfirmationURL: `${url}/confirmation`,
    ValidationURL: `${url}/validation`,
    ...fields,
  }
  const token = await sim.token()
  const path = `/mpesa/c2b/${version}/registerurl`
  return sim.wire('POST', path, { token, body: JSON.stringify(body) })
}

const pay = (fields: object = {}) =>
  sim.control('POST', `/phones/${amina}/paybill`, {
    business_number: '174379',
    account_number: 'CS12345674',
    amount: '15050',
    ...fields,
  })
const phone = async () => (await sim.control('GET', `/phones/${amina}`)).body
const book = async () => (await sim.control('GET', '/book')).body
const confirmed = () => eventually('a confirmation', () => merchant.confirmed[0])

test('sends the validation, moves the money, then sends the confirmation', async () => {
  expect((await register()).body).toMatchObject({
    OriginatorCoversationID: expect.any(String),
    ResponseCode: '0',
  })
  const { status, body } = await pay()
  expect(status).toBe(200)
  expect(await book()).toMatchObject([
    { receipt: body.receipt, kind: 'pay_bill', account: 'CS12345674', amount: '15050' },
  ])
  const confirmation = await confirmed()
  expect(merchant.request).toMatchObject([
    { TransID: body.receipt, OrgAccountBalance: '', ThirdPartyTransID: '' },
  ])
  expect(confirmation).toMatchObject({
    TransID: body.receipt,
    TransAmount: '150.50',
    BillRefNumber: 'CS12345674',
    ThirdPartyTransID: '5b1d2c7a90e84f36',
    MSISDN: '2547 ***** 149',
    FirstName: 'AMINA',
  })
  expect(shapeOf(confirmation)).toEqual(shapeOf(fixture('c2b-confirmation-masked').body))
  expect((await phone()).sms[0].text).toContain(`${String(body.receipt)} Confirmed.`)
})

test('the confirmation has the balance of the short code after the payment', async () => {
  await register()
  await pay()
  await pay({ amount: '100' })
  const balances = await eventually(
    'two confirmations',
    () =>
      merchant.confirmed.length === 2 &&
      merchant.confirmed.map(({ OrgAccountBalance }) => OrgAccountBalance),
  )
  expect(balances.toSorted()).toEqual(['1000150.50', '1000151.50'])
})

test.each(['C2B00012', 'C2B00013'])(
  'no money moves when the answer to the validation is %s',
  async (code) => {
    await register()
    merchant.answer = { ResultCode: code, ResultDesc: 'Rejected' }
    const { status, body } = await pay()
    expect([status, body.problems[0].message]).toEqual([409, code])
    expect(await book()).toEqual([])
    expect((await phone()).balance).toBe('5000000')
  },
)

test.each([
  ['Completed', 200],
  ['Cancelled', 409],
])('row 63: without a valid answer the ResponseType decides: %s', async (ResponseType, status) => {
  await register('v2', { ResponseType })
  merchant.answer = '<html>busy</html>'
  expect((await pay()).status).toBe(status)
  expect(await book()).toHaveLength(status === 200 ? 1 : 0)
})

const hashed = createHash('sha256').update(amina).digest('hex')
test.each([
  ['v1', 'by_version', hashed],
  ['v2', 'by_version', '2547 ***** 149'],
  ['v2', 'hashed', hashed],
  ['v1', 'masked', '2547 ***** 149'],
  ['v2', 'plain', amina],
] as const)(
  'row 64: registered by %s and set to %s, the payer is %s',
  async (version, how, shown) => {
    await sim.stop()
    sim = await startSimulator({ mpesa: { ...mpesa, payerNumbers: how } satisfies Config['mpesa'] })
    await register(version)
    await pay()
    expect((await confirmed())['MSISDN']).toBe(shown)
  },
)

test('registered addresses survive a reset', async () => {
  await register()
  await sim.control('POST', '/reset', {})
  await pay()
  await confirmed()
})

test('sends no confirmation without a registered address', async () => {
  expect((await pay()).status).toBe(200)
  expect(await book()).toHaveLength(1)
  expect(merchant.confirmed).toEqual([])
})

test('without external validation the merchant learns of a payment only when it is made', async () => {
  await sim.stop()
  sim = await startSimulator({ mpesa: { ...mpesa, externalValidation: false } })
  await register('v2', { ResponseType: 'Cancelled' })
  merchant.answer = { ResultCode: 'C2B00012', ResultDesc: 'Rejected' }
  const { status, body } = await pay({ account_number: 'my rent' })
  expect(status).toBe(200)
  expect(await confirmed()).toMatchObject({ TransID: body.receipt, ThirdPartyTransID: '' })
  expect(merchant.request).toEqual([])
})

test.each([
  [{ pin: '0000' }, 'wrong_pin'],
  [{ amount: '99' }, 'below_minimum'],
  [{ amount: '25000001' }, 'above_maximum'],
  [{ amount: '6000000' }, 'no_funds'],
])('the network refuses %p as %s', async (fields, why) => {
  const { status, body } = await pay(fields)
  expect([status, body]).toMatchObject([
    409,
    { error: 'payment_refused', problems: [{ path: 'body', message: why }] },
  ])
})

test('a payment to an unknown business number is refused', async () => {
  expect((await pay({ business_number: '999999' })).body).toMatchObject({
    error: 'business_not_found',
  })
})

test('a payment with an account number that no checkout has is carried out', async () => {
  await register()
  await pay({ account_number: 'my rent' })
  expect(await confirmed()).toMatchObject({ BillRefNumber: 'my rent' })
})

test('row 29: a rule confirms the payment of a prompt as a Pay Bill payment too', async () => {
  await register()
  await sim.control('POST', '/packs/echoed-as-pay-bill', {})
  const { body } = await sim.push({ AccountReference: 'MABC123' })
  await sim.jump(2_000)
  const [row] = await book()
  expect(row.reference).toBe(body.CheckoutRequestID)
  expect(await confirmed()).toMatchObject({ TransID: row.receipt, BillRefNumber: 'MABC123' })
})

test('row 62: a rule can drop the confirmation, and the statement still lists the payment', async () => {
  await register()
  await sim.control('POST', '/rules', { on: 'callback', effect: { kind: 'drop' } })
  const { body } = await pay()
  expect(merchant.confirmed).toEqual([])
  expect((await book())[0].receipt).toBe(body.receipt)
})

test.each(['v1', 'v2'])(
  'simulates a payment from the menu as the sandbox does (%s)',
  async (version) => {
    await register(version)
    const token = await sim.token()
    const payment = {
      ShortCode: '174379',
      CommandID: 'CustomerPayBillOnline',
      Amount: '150.50',
      Msisdn: amina,
      BillRefNumber: 'CS12345674',
    }
    const path = `/mpesa/c2b/${version}/simulate`
    const { body } = await sim.wire('POST', path, { token, body: JSON.stringify(payment) })
    expect(body.ResponseDescription).toBe('Success')
    expect(await confirmed()).toMatchObject({ BillRefNumber: 'CS12345674' })
  },
)

test.each([
  ['ShortCode', { ShortCode: '1' }],
  ['ResponseType', { ResponseType: 'completed' }],
  ['ConfirmationURL', { ConfirmationURL: 'https://shop.example/mpesa' }],
  ['ValidationURL', { ValidationURL: 'nowhere' }],
  ['ValidationURL', { ValidationURL: 'https://shop.ngrok.app/validation' }],
])('a registration with a bad %s is refused', async (field, fields) => {
  expect(await register('v2', fields)).toMatchObject({
    status: 400,
    body: { errorCode: '400.003.02', errorMessage: `Bad Request - Invalid ${field}` },
  })
})
