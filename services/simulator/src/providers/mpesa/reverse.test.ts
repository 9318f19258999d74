import { amina } from '../../start.harness'
import { fixture, shapeOf } from './fixtures.harness'
import { operatorOfEachTest, parameterOf } from './orders.harness'

const operator = operatorOfEachTest()
const reverse = (TransactionID: unknown, fields: Record<string, unknown> = {}) =>
  operator.reverse({ TransactionID, Amount: '150.50', ...fields })

/** Amina pays 150.50; returns the receipt. */
async function paid(): Promise<string> {
  await operator.sim().push()
  await operator.sim().control('POST', `/phones/${amina}/prompt`, { action: 'approve' })
  const [{ receipt }] = await operator.book()
  return receipt
}

const balance = async () => (await operator.sim().control('GET', `/phones/${amina}`)).body.balance

test('returns the money to the payer, records it in the book and sends the result', async () => {
  const before = await balance()
  const receipt = await paid()
  const { status, body } = await reverse(receipt)
  expect(status).toBe(200)
  expect(shapeOf(body)).toEqual(shapeOf(fixture('reversal-answer-accepted').body))
  const received = await operator.result()
  expect(shapeOf(received)).toEqual(shapeOf(fixture('reversal-result-reversed').body.Result))
  expect(received).toMatchObject({
    ResultCode: 0,
    OriginatorConversationID: body.OriginatorConversationID,
    ReferenceData: { ReferenceItem: { Value: expect.stringMatching(/\/late$/) } },
    ResultParameters: {
      ResultParameter: expect.arrayContaining([{ Key: 'OriginalTransactionID', Value: receipt }]),
    },
  })
  expect(await balance()).toBe(before)
  const [, row] = await operator.book()
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
    await operator.result()
  }
  const rows = (await operator.book()).length
  await reverse(receipt, fields)
  expect(await operator.result()).toMatchObject({ ResultCode: code })
  expect(await operator.book()).toHaveLength(rows)
})

test('does not reverse more than the short code has left', async () => {
  const receipt = await paid()
  for (const Amount of [250_000, 250_000, 250_000, 250_000, '150.50']) {
    const OriginatorConversationID = `order-${String((await operator.book()).length)}`
    await operator.payCustomer({ Amount, OriginatorConversationID })
    expect(await operator.result()).toMatchObject({ ResultCode: 0 })
  }
  const rows = await operator.book()
  await reverse(receipt)
  expect(await operator.result()).toMatchObject({ ResultCode: 1 })
  expect(await operator.book()).toEqual(rows)
})

test.each([
  ['1', 1, 'The balance is insufficient for the transaction.'],
  ['2006', 2006, 'An error occurred'],
  ['SFC_IC0003', 'SFC_IC0003', 'An error occurred'],
])('a rule ends a reversal with %s, and no money moves', async (code, ResultCode, ResultDesc) => {
  const receipt = await paid()
  await operator.sim().control('POST', '/rules', { on: 'refund', effect: { kind: 'lie', code } })
  expect((await reverse(receipt)).status).toBe(200)
  expect(await operator.result()).toMatchObject({ ResultCode, ResultDesc })
  expect(await operator.book()).toHaveLength(1)
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

const standing = async () => parameterOf(await operator.result(), 'TransactionStatus')

test('reports the status of a payment by its receipt, and of a reversal by the order that made it', async () => {
  const receipt = await paid()
  await operator.status({ TransactionID: receipt })
  expect(await standing()).toBe('Completed')
  const { body } = await reverse(receipt)
  await operator.result()
  await operator.status({ TransactionID: receipt })
  expect(await standing()).toBe('Reversed')
  await operator.status({ OriginalConversationID: body.OriginatorConversationID })
  expect(await standing()).toBe('Completed')
  await operator.status({ TransactionID: 'QNOSUCHONE' })
  expect(await operator.result()).toMatchObject({ ResultCode: 'R000002' })
})

test('the statement lists the payment, and no reversal', async () => {
  await reverse(await paid())
  await operator.result()
  const statement = await operator.statement()
  expect(statement.Response[0]).toHaveLength(1)
})
