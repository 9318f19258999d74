import Mpesa from 'mpesa-node'
import { eventually } from '@malipo/testing/eventually'
import {
  amina,
  mpesa,
  openReceiver,
  startSimulator,
  type Receiver,
  type RunningSimulator,
} from '../../start.harness'

// Safaricom's own client (safaricom/mpesa-node-library), as its README uses it: only the base URL is ours.

let sim: RunningSimulator
let receiver: Receiver
let client: Mpesa
beforeEach(async () => {
  sim = await startSimulator()
  receiver = await openReceiver()
  client = clientAt(sim.url)
})
afterEach(async () => {
  await sim.stop()
  await receiver.stop()
})

function clientAt(url: string, changes: Record<string, string> = {}): Mpesa {
  const opened = new Mpesa({
    consumerKey: mpesa.consumerKey,
    consumerSecret: mpesa.consumerSecret,
    environment: 'sandbox',
    shortCode: mpesa.shortCode,
    lipaNaMpesaShortCode: mpesa.shortCode,
    lipaNaMpesaShortPass: mpesa.passkey,
    ...changes,
  })
  opened.baseURL = url
  return opened
}

const push = async (from = client) => {
  const { data } = await from.lipaNaMpesaOnline(amina, 50, receiver.url, 'A1B2C3', 'Payment')
  return String(data['CheckoutRequestID'])
}
const approve = () => sim.control('POST', `/phones/${amina}/prompt`, { action: 'approve' })

test('takes a token', async () => {
  const { status, data } = await client.oAuth()
  expect({ status, data }).toMatchObject({
    status: 200,
    data: { access_token: expect.any(String) },
  })
})

test('pushes, is called back, and asks how it ended', async () => {
  const checkoutRequestId = await push()
  expect(checkoutRequestId).toMatch(/^ws_CO_/)
  await approve()
  const body = JSON.parse(await eventually('a callback', () => receiver.received[0]))
  expect(body.Body.stkCallback).toMatchObject({
    CheckoutRequestID: checkoutRequestId,
    ResultCode: 0,
  })
  const { data } = await client.lipaNaMpesaQuery(checkoutRequestId)
  expect(data).toMatchObject({ ResponseCode: '0', ResultCode: '0' })
})

test('registers its addresses, and gets validation and confirmation of a payment from the menu', async () => {
  const registered = await client.c2bRegister(`${receiver.url}/after`, `${receiver.url}/before`)
  expect(registered.data).toMatchObject({ ResponseDescription: 'Success' })
  expect((await client.c2bSimulate(amina, 75, 'CS 1')).status).toBe(200)
  await eventually('both', () => receiver.received.length === 2)
  expect(receiver.received.map((text) => JSON.parse(text).BillRefNumber as string)).toEqual([
    'CS 1',
    'CS 1',
  ])
  const [row] = (await sim.control('GET', '/book')).body
  expect(row).toMatchObject({ kind: 'pay_bill', account: 'CS 1', amount: '7500' })
})

test('throws its own errors for ours', async () => {
  await push()
  await expect(push()).rejects.toMatchObject({
    response: { status: 500, data: { errorCode: '500.001.1001' } },
  })
  const other = clientAt(sim.url, { lipaNaMpesaShortPass: 'wrong' })
  await expect(push(other)).rejects.toMatchObject({
    response: { data: { errorMessage: 'Wrong credentials' } },
  })
})

test('lives in a session, when that is what its base URL says', async () => {
  await push(clientAt(`${sim.url}/s/run`))
  expect((await sim.control('GET', `/phones/${amina}`)).body.prompt).toBeNull()
  expect((await sim.session('run').control('GET', `/phones/${amina}`)).body.prompt).toMatchObject({
    amount: '5000',
  })
})
