import { operatorOfEachTest, parameterOf } from './orders.harness'

const operator = operatorOfEachTest()

test('sends the money and reports the remaining balance', async () => {
  await operator.payBusiness()
  const result = await operator.result()
  expect(result).toMatchObject({ ResultCode: 0 })
  expect(parameterOf(result, 'DebitPartyAffectedAccountBalance')).toBe(
    'Utility Account|KES|999500.00|999500.00|0.00|0.00',
  )
  expect(await operator.book()).toMatchObject([
    { kind: 'payout', msisdn: '', account: 'INV1', amount: '50000', receipt: result.TransactionID },
  ])
})

test.each([
  ['CommandID', 'BusinessPayment'],
  ['PartyA', '600000'],
  ['PartyB', '174379'],
  ['PartyB', '254708374149'],
  ['SenderIdentifierType', '3'],
  ['RecieverIdentifierType', undefined],
  ['AccountReference', undefined],
  ['Amount', 'much'],
])('refuses %s %p at once', async (field, value) => {
  const { status, body } = await operator.payBusiness({ [field]: value })
  expect(status).toBe(400)
  expect(body.errorMessage).toBe(`Bad Request - Invalid ${field}`)
})

test('needs no account for a transfer', async () => {
  const transfer = { CommandID: 'BusinessToBusinessTransfer', AccountReference: null }
  expect((await operator.payBusiness(transfer)).status).toBe(200)
})
