import { operatorOfEachTest, parameterOf } from './orders.harness'

const operator = operatorOfEachTest()

const utility = async () => {
  await operator.balance()
  const accounts = String(parameterOf(await operator.result(), 'AccountBalance'))
  return accounts.split('&').find((account) => account.startsWith('Utility Account'))
}

test('returns a balance that falls by a payout, and not by one that failed', async () => {
  expect(await utility()).toBe('Utility Account|KES|1000000.00|1000000.00|0.00|0.00')
  await operator.payCustomer()
  await operator.result()
  expect(await utility()).toBe('Utility Account|KES|999500.00|999500.00|0.00|0.00')
  await operator.payBusiness({ Amount: '0.50', CommandID: 'BusinessPayBill' })
  expect(await operator.result()).toMatchObject({ ResultCode: 2 })
  expect(await utility()).toBe('Utility Account|KES|999500.00|999500.00|0.00|0.00')
})

test('returns the time as a number, as the portal shows it', async () => {
  await operator.balance()
  expect(parameterOf(await operator.result(), 'BOCompletedTime')).toBe(20_261_120_142_501)
})

test.each([
  ['CommandID', 'Balance'],
  ['PartyA', '600000'],
  ['IdentifierType', '2'],
])('refuses a bad %s at once', async (field, value) => {
  const { status, body } = await operator.balance({ [field]: value })
  expect(status).toBe(400)
  expect(body.errorMessage).toBe(`Bad Request - Invalid ${field}`)
})
