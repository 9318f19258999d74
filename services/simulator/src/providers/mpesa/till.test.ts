import { eventually } from '@malipo/testing/eventually'
import {
  amina,
  mpesa,
  openReceiver,
  type Receiver,
  type RunningSimulator,
  startSimulator,
} from '../../start.harness'

const till = '832456'

let sim: RunningSimulator
let receiver: Receiver
beforeEach(async () => {
  sim = await startSimulator({ mpesa: { ...mpesa, till } })
  receiver = await openReceiver()
})
afterEach(async () => {
  await sim.stop()
  await receiver.stop()
})

const post = async (path: string, fields: object) =>
  sim.wire('POST', path, { token: await sim.token(), body: JSON.stringify(fields) })

const register = () =>
  post('/mpesa/c2b/v2/registerurl', {
    ShortCode: till,
    ResponseType: 'Completed',
    ConfirmationURL: `${receiver.url}/confirmation`,
    ValidationURL: `${receiver.url}/validation`,
  })

const statement = async () => {
  const today = { StartDate: '2026-11-20 14:00:00', EndDate: '2026-11-20 15:00:00' }
  const fields = { ShortCode: till, ...today, OffSetValue: '0' }
  return (await post('/pulltransactions/v1/query', fields)).body.Response[0]
}

const book = async () => (await sim.control('GET', '/book')).body

test('takes a push to a till that is signed with the number of its store', async () => {
  await sim.push({ TransactionType: 'CustomerBuyGoodsOnline', PartyB: till })
  await sim.control('POST', `/phones/${amina}/prompt`, { action: 'approve' })
  expect(await book()).toMatchObject([{ kind: 'stk_push', business: till, amount: '15050' }])
  expect(await statement()).toMatchObject([
    { transactiontype: 'c2b-buy-goods-debit', billreference: '', amount: '150.50' },
  ])
})

test.each([
  ['a till as a Pay Bill number', { PartyB: till }],
  ['a Pay Bill number as a till', { TransactionType: 'CustomerBuyGoodsOnline' }],
])('moves no money for a push that names %s', async (_what, fields) => {
  await sim.push(fields)
  await sim.jump(60_000)
  expect(await book()).toEqual([])
})

test('confirms a payment from the menu without an account, and lists it with the whole number', async () => {
  await register()
  const paid = { till_number: till, amount: '15050' }
  const { status, body } = await sim.control('POST', `/phones/${amina}/buy-goods`, paid)
  expect(status).toBe(200)
  const confirmation = await eventually('a confirmation', () =>
    receiver.received.find((one) => one.includes('"OrgAccountBalance":"1')),
  )
  expect(JSON.parse(confirmation)).toMatchObject({
    TransactionType: 'Buy Goods',
    TransID: body.receipt,
    BillRefNumber: '',
    BusinessShortCode: till,
    MSISDN: '2547 ***** 149',
  })
  expect(await statement()).toMatchObject([
    { transactionId: body.receipt, msisdn: 254708374149, billreference: '' },
  ])
  const { sms } = (await sim.control('GET', `/phones/${amina}`)).body
  expect(sms[0].text).toContain('sent to Malipo Payments on')
})

test('simulates a payer of the till as the sandbox does', async () => {
  await register()
  const { body } = await post('/mpesa/c2b/v2/simulate', {
    ShortCode: till,
    CommandID: 'CustomerBuyGoodsOnline',
    Amount: '150.50',
    Msisdn: amina,
    BillRefNumber: null,
  })
  expect(body.ResponseDescription).toBe('Success')
  const row = await eventually('a row', async () => (await book())[0])
  expect(row).toMatchObject({ business: till, account: '' })
})

test('refuses a payment to a till that does not exist', async () => {
  await sim.stop()
  sim = await startSimulator()
  const paid = { till_number: till, amount: '15050' }
  const { body } = await sim.control('POST', `/phones/${amina}/buy-goods`, paid)
  expect(body).toMatchObject({ error: 'business_not_found' })
})
