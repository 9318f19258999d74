import { Mpesa } from 'mpesa-api'
import { eventually } from '@malipo/testing/eventually'
import {
  amina,
  mpesa,
  openReceiver,
  startSimulator,
  type Receiver,
  type RunningSimulator,
} from '../../start.harness'
import { carryHttpsTo } from '../carry-https.harness'

// The client newtonmunene99/mpesa-api, as its README uses it. Its host is fixed in its code, so its connections are
// redirected to the simulator.

const shortCode = 174_379
const { initiator = '', securityCredential } = mpesa.operator ?? {}

let sim: RunningSimulator
let receiver: Receiver
let client: Mpesa
let putBack: () => void
let order: { Initiator: string; PartyA: string; ResultURL: string; QueueTimeOutURL: string }
beforeEach(async () => {
  sim = await startSimulator()
  receiver = await openReceiver()
  putBack = carryHttpsTo(sim.url)
  client = new Mpesa(
    {
      clientKey: mpesa.consumerKey,
      clientSecret: mpesa.consumerSecret,
      initiatorPassword: '',
      securityCredential: securityCredential ?? '',
    },
    'sandbox',
  )
  order = {
    Initiator: initiator,
    PartyA: mpesa.shortCode,
    ResultURL: `${receiver.url}/result`,
    QueueTimeOutURL: `${receiver.url}/late`,
  }
})
afterEach(async () => {
  putBack()
  await sim.stop()
  await receiver.stop()
})

/** A push without type and description: the client adds a type with a trailing space and a text of 20 characters. */
const push = () =>
  client.lipaNaMpesaOnline({
    BusinessShortCode: shortCode,
    Amount: 50,
    PartyA: amina,
    PartyB: mpesa.shortCode,
    PhoneNumber: amina,
    CallBackURL: receiver.url,
    AccountReference: 'A1B2C3',
    passKey: mpesa.passkey,
  })

const received = async () =>
  JSON.parse(await eventually('a callback', () => receiver.received.shift()))
const result = async () => (await received()).Result

/** Amina pays 50 shillings. */
async function paid(): Promise<string> {
  await push()
  await sim.control('POST', `/phones/${amina}/prompt`, { action: 'approve' })
  await received()
  return (await sim.control('GET', '/book')).body[0].receipt
}

test('sends a push with its own defaults and queries the result', async () => {
  const { CheckoutRequestID } = await push()
  await sim.control('POST', `/phones/${amina}/prompt`, { action: 'approve' })
  expect((await received()).Body.stkCallback).toMatchObject({ CheckoutRequestID, ResultCode: 0 })
  const passKey = mpesa.passkey
  const request = { BusinessShortCode: shortCode, CheckoutRequestID, passKey }
  expect(await client.lipaNaMpesaQuery(request)).toMatchObject({ ResultCode: '0' })
})

test('registers its addresses, and simulates a payment from the menu', async () => {
  await client.c2bRegister({
    ShortCode: shortCode,
    ResponseType: 'Completed',
    ConfirmationURL: `${receiver.url}/after`,
    ValidationURL: `${receiver.url}/before`,
  })
  await client.c2bSimulate({
    ShortCode: shortCode,
    CommandID: 'CustomerPayBillOnline',
    Amount: 75,
    Msisdn: 254_708_374_149,
    BillRefNumber: 'CS 1',
  })
  expect(await received()).toMatchObject({ BillRefNumber: 'CS 1' })
  expect(await received()).toMatchObject({ BillRefNumber: 'CS 1' })
})

test('reads how a payment stands, and reverses it', async () => {
  const TransactionID = await paid()
  await client.transactionStatus({ ...order, TransactionID, IdentifierType: '4' })
  expect(await result()).toMatchObject({ ResultCode: 0 })
  const { PartyA: ReceiverParty, ...others } = order
  const CommandID = 'TransactionReversal'
  await client.reversal({ ...others, ReceiverParty, CommandID, TransactionID, Amount: 50 })
  expect(await result()).toMatchObject({ ResultCode: 0 })
  expect((await sim.control('GET', '/book')).body[1]).toMatchObject({ kind: 'reversal' })
})

test('reads the balance, and pays a customer', async () => {
  await client.accountBalance({ ...order, CommandID: 'AccountBalance', IdentifierType: '4' })
  expect(await result()).toMatchObject({ ResultCode: 0 })
  await client.b2c({ ...order, CommandID: 'SalaryPayment', PartyB: amina, Amount: 500 })
  expect(await result()).toMatchObject({ ResultCode: 0 })
  expect((await sim.control('GET', '/book')).body[0]).toMatchObject({ kind: 'payout' })
})
