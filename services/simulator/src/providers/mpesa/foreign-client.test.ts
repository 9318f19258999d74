import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
import { parameterOf } from './orders.harness'

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
/** Amina pays 50 shillings. */
const paid = async () => {
  await push()
  await approve()
  await eventually('a callback', () => receiver.received.shift())
  const [{ receipt }] = (await sim.control('GET', '/book')).body
  return String(receipt)
}
const approve = () => sim.control('POST', `/phones/${amina}/prompt`, { action: 'approve' })

test('gets a token', async () => {
  const { status, data } = await client.oAuth()
  expect({ status, data }).toMatchObject({
    status: 200,
    data: { access_token: expect.any(String) },
  })
})

test('sends a push, gets its callback and queries its result', async () => {
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

test('throws its own errors for error answers of the simulator', async () => {
  await push()
  await expect(push()).rejects.toMatchObject({
    response: { status: 500, data: { errorCode: '500.001.1001' } },
  })
  const other = clientAt(sim.url, { lipaNaMpesaShortPass: 'wrong' })
  await expect(push(other)).rejects.toMatchObject({
    response: { data: { errorMessage: 'Wrong credentials' } },
  })
})

test('sends its own default description, which is longer than documented', async () => {
  const { data } = await client.lipaNaMpesaOnline(amina, 50, receiver.url, 'A1B2C3')
  expect(data).toMatchObject({ ResponseCode: '0' })
})

describe('operator requests, with the password that the client encrypts', () => {
  let folder: string
  let operator: Mpesa
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'operator-'))
    const certPath = join(folder, 'operator.pem')
    writeFileSync(certPath, (await sim.control('GET', '/operator-key')).body.public_key)
    const { initiator = '', password = '' } = mpesa.operator ?? {}
    operator = clientAt(sim.url, {
      initiatorName: initiator,
      securityCredential: password,
      certPath,
    })
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  const urls = () => [`${receiver.url}/late`, `${receiver.url}/result`] as const
  const result = async () => {
    const text = await eventually('a result', () => receiver.received.shift())
    return JSON.parse(text).Result
  }
  test('reads the balance of the short code', async () => {
    await paid()
    await operator.accountBalance(mpesa.shortCode, 4, ...urls())
    const accounts = parameterOf(await result(), 'AccountBalance')
    expect(accounts).toContain('Utility Account|KES|1000050.00|1000050.00|0.00|0.00')
  })

  test('reads how a payment stands', async () => {
    await operator.transactionStatus(await paid(), mpesa.shortCode, 4, ...urls())
    expect(parameterOf(await result(), 'TransactionStatus')).toBe('Completed')
  })

  test('reverses a payment', async () => {
    const receipt = await paid()
    await operator.reversal(receipt, 50, ...urls())
    expect(parameterOf(await result(), 'OriginalTransactionID')).toBe(receipt)
  })

  test('pays a customer', async () => {
    await operator.b2c(mpesa.shortCode, amina, 500, ...urls())
    const received = await result()
    expect(parameterOf(received, 'ReceiverPartyPublicName')).toContain(amina)
    const [row] = (await sim.control('GET', '/book')).body
    expect(row).toMatchObject({
      kind: 'payout',
      msisdn: amina,
      amount: '50000',
      receipt: received.TransactionID,
    })
  })

  test('pays another business', async () => {
    await operator.b2b(mpesa.shortCode, '600000', 500, ...urls())
    expect(parameterOf(await result(), 'Amount')).toBe('500.00')
  })

  test('gets result code 2001 for a wrong password', async () => {
    operator.configs['securityCredential'] = 'another'
    await operator.accountBalance(mpesa.shortCode, 4, ...urls())
    expect(await result()).toMatchObject({ ResultCode: 2001 })
  })
})

test('uses the session that its base URL names', async () => {
  await push(clientAt(`${sim.url}/s/run`))
  expect((await sim.control('GET', `/phones/${amina}`)).body.prompt).toBeNull()
  expect((await sim.session('run').control('GET', `/phones/${amina}`)).body.prompt).toMatchObject({
    amount: '5000',
  })
})
