import { amina, brian } from '../../start.harness'
import { operatorOfEachTest, parameterOf } from './orders.harness'

const operator = operatorOfEachTest()

const phone = async () => (await operator.sim().control('GET', `/phones/${amina}`)).body

test.each(['v1', 'v3'])(
  '%s sends the money, writes it into the book, and tells the customer and the merchant',
  async (version) => {
    const before = await phone()
    const { body } = await operator.payCustomer({}, version)
    const result = await operator.result()
    expect(result).toMatchObject({
      ResultCode: 0,
      OriginatorConversationID: 'order-1',
      ConversationID: body.ConversationID,
    })
    expect(await operator.book()).toMatchObject([
      {
        kind: 'payout',
        msisdn: amina,
        account: 'June',
        amount: '50000',
        receipt: result.TransactionID,
      },
    ])
    expect(parameterOf(result, 'TransactionReceipt')).toBe(result.TransactionID)
    expect(parameterOf(result, 'B2CUtilityAccountAvailableFunds')).toBe(999_500)
    expect(parameterOf(result, 'TransactionCompletedDateTime')).toBe('20.11.2026 14:25:01')
    const after = await phone()
    expect(BigInt(after.balance) - BigInt(before.balance)).toBe(50_000n)
    expect(after.sms[0].text).toContain('You have received Ksh500.00 from Malipo Payments')
  },
)

test('refuses a repeated payout request, and carries it out once', async () => {
  await operator.payCustomer()
  const again = await operator.payCustomer()
  expect(again).toMatchObject({ status: 500, body: { errorCode: '500.002.1001' } })
  expect(await operator.book()).toHaveLength(1)
})

test.each([
  ['less than a shilling', { Amount: '0.50' }, 2],
  ['more than 250,000', { Amount: 250_001 }, 3],
  ['a number that does not exist', { PartyB: '254700000009' }, 2040],
  ['an initiator without the permission', { SecurityCredential: 'guess' }, 2001],
])('a payout fails for %s', async (_, fields, code) => {
  await operator.payCustomer(fields)
  expect(await operator.result()).toMatchObject({ ResultCode: code })
  expect(await operator.book()).toEqual([])
})

test('does not pay more than the short code has', async () => {
  for (const id of ['a', 'b', 'c', 'd', 'e']) {
    await operator.payCustomer({ OriginatorConversationID: id, Amount: 250_000 })
  }
  const codes = []
  for (let count = 0; count < 5; count += 1) codes.push((await operator.result()).ResultCode)
  expect(codes.sort()).toEqual([0, 0, 0, 0, 1])
  expect(await operator.book()).toHaveLength(4)
})

test('reports that a payout timed out in the queue, and does not carry it out', async () => {
  await operator.sim().control('POST', '/rules', {
    on: 'payout',
    when: { msisdn: amina },
    effect: { kind: 'lie', code: 'queue_timeout' },
  })
  await operator.payCustomer()
  expect(await operator.result()).toMatchObject({
    ResultType: 1,
    OriginatorConversationID: 'order-1',
  })
  expect(await operator.book()).toEqual([])
  const { body } = await operator.sim().control('GET', '/events')
  expect(JSON.stringify(body)).toContain('queue_timeout')
  await operator.payCustomer({ OriginatorConversationID: 'order-2', PartyB: brian })
  expect(await operator.result()).toMatchObject({ ResultCode: 0 })
})

test('a rule for another amount passes over the result of an order', async () => {
  const effect = { kind: 'amount', amount: '100' }
  await operator.sim().control('POST', '/rules', { on: 'callback', effect })
  await operator.payCustomer()
  expect(parameterOf(await operator.result(), 'TransactionAmount')).toBe(500)
  expect((await operator.sim().control('GET', '/rules')).body).toMatchObject([{ applied: 0 }])
})

test.each([
  ['CommandID', 'TransactionReversal'],
  ['PartyA', '600000'],
  ['PartyB', '0708374149'],
  ['Amount', 'much'],
  ['OriginatorConversationID', ''],
])('refuses a bad %s at once', async (field, value) => {
  const { status, body } = await operator.payCustomer({ [field]: value })
  expect(status).toBe(400)
  expect(body.errorMessage).toBe(`Bad Request - Invalid ${field}`)
})

test('a payout is not on the statement, and cannot be reversed like a payment', async () => {
  await operator.payCustomer()
  const { TransactionID } = await operator.result()
  const statement = await operator.statement()
  expect(JSON.stringify(statement)).not.toContain(TransactionID)
  await operator.reverse({ TransactionID, Amount: 500 })
  expect(await operator.result()).toMatchObject({ ResultCode: 'R000002' })
})
