import { eventually } from '@malipo/testing/eventually'
import {
  amina,
  openReceiver,
  type Receiver,
  type RunningSimulator,
  startSimulator,
} from '../../start.harness'
import { fixture, shapeOf } from './fixtures.harness'

let sim: RunningSimulator
let receiver: Receiver

beforeEach(async () => {
  sim = await startSimulator()
  receiver = await openReceiver()
})

afterEach(async () => {
  await sim.stop()
  await receiver.stop()
})

const operator = { Initiator: 'operator-of-the-short-code', SecurityCredential: 'c2VjcmV0' }

async function order(path: string, fields: Record<string, unknown>) {
  const urls = { ResultURL: receiver.url, QueueTimeOutURL: receiver.url }
  return sim.wire('POST', path, {
    token: await sim.token(),
    body: JSON.stringify({ ...operator, ...urls, Remarks: 'Refund', ...fields }),
  })
}

const reverse = (TransactionID: unknown, fields: Record<string, unknown> = {}) =>
  order('/mpesa/reversal/v1/request', {
    CommandID: 'TransactionReversal',
    TransactionID,
    Amount: '150.50',
    ReceiverParty: '174379',
    RecieverIdentifierType: '11',
    ...fields,
  })

const ask = (fields: Record<string, unknown>) =>
  order('/mpesa/transactionstatus/v1/query', {
    CommandID: 'TransactionStatusQuery',
    PartyA: '174379',
    IdentifierType: '4',
    ...fields,
  })

/** Amina pays 150.50; returns the receipt. */
async function paid(): Promise<string> {
  await sim.push()
  await sim.control('POST', `/phones/${amina}/prompt`, { action: 'approve' })
  const [{ receipt }] = (await sim.control('GET', '/book')).body
  return receipt
}

const balance = async () => (await sim.control('GET', `/phones/${amina}`)).body.balance
/** The next result that came to the address. */
const result = async () => {
  const text = await eventually('a result', () => receiver.received.shift())
  return JSON.parse(text).Result
}

test('returns the money to the payer, records it in the book and sends the result', async () => {
  const before = await balance()
  const receipt = await paid()
  const { status, body } = await reverse(receipt)
  expect(status).toBe(200)
  expect(shapeOf(body)).toEqual(shapeOf(fixture('reversal-answer-accepted').body))
  const received = await result()
  expect(shapeOf(received)).toEqual(shapeOf(fixture('reversal-result-reversed').body.Result))
  expect(received).toMatchObject({
    ResultCode: 0,
    OriginatorConversationID: body.OriginatorConversationID,
    ResultParameters: {
      ResultParameter: expect.arrayContaining([{ Key: 'OriginalTransactionID', Value: receipt }]),
    },
  })
  expect(await balance()).toBe(before)
  const [, row] = (await sim.control('GET', '/book')).body
  expect(row).toMatchObject({ kind: 'reversal', account: receipt, amount: '15050' })
})

test.each([
  ['a second time', {}, 'R000001'],
  ['part of it', { Amount: '1.00' }, 'R000002'],
  ['a payment that does not exist', { TransactionID: 'QNOSUCHONE' }, 'R000002'],
  ['for an initiator without the permission', { SecurityCredential: 'guess' }, 2001],
])('does not reverse %s', async (what, fields, code) => {
  const receipt = await paid()
  if (what === 'a second time') {
    await reverse(receipt)
    await result()
  }
  const rows = (await sim.control('GET', '/book')).body.length
  await reverse(receipt, fields)
  expect(await result()).toMatchObject({ ResultCode: code })
  expect((await sim.control('GET', '/book')).body).toHaveLength(rows)
})

test.each([
  ['CommandID', 'SalaryPayment'],
  ['Remarks', ''],
  ['ResultURL', 'nowhere'],
  ['Amount', 'much'],
  ['ReceiverParty', '600000'],
])('refuses a bad %s at once', async (field, value) => {
  const { status, body } = await reverse(await paid(), { [field]: value })
  expect(status).toBe(400)
  expect(body.errorMessage).toBe(`Bad Request - Invalid ${field}`)
})

const standing = (received: {
  ResultParameters: { ResultParameter: { Key: string; Value: string }[] }
}) =>
  received.ResultParameters.ResultParameter.find(({ Key }) => Key === 'TransactionStatus')?.Value

test('reports the status of a payment, and of a reversal by the command that made it', async () => {
  const receipt = await paid()
  await ask({ TransactionID: receipt })
  expect(standing(await result())).toBe('Completed')
  const { body } = await reverse(receipt)
  await result()
  await ask({ TransactionID: receipt })
  expect(standing(await result())).toBe('Reversed')
  await ask({ OriginalConversationID: body.OriginatorConversationID })
  expect(standing(await result())).toBe('Completed')
  await ask({ TransactionID: 'QNOSUCHONE' })
  expect(await result()).toMatchObject({ ResultCode: 'R000002' })
})

test('the statement lists what came in, and no reversal', async () => {
  await reverse(await paid())
  await result()
  const { body } = await sim.wire('POST', '/pulltransactions/v1/query', {
    token: await sim.token(),
    body: JSON.stringify({
      ShortCode: '174379',
      StartDate: '2026-11-20 14:00:00',
      EndDate: '2026-11-20 15:00:00',
      OffSetValue: '0',
    }),
  })
  expect(body.Response[0]).toHaveLength(1)
})
