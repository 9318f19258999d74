import { ofTest } from '@malipo/testing/lazily'
import { eventually } from '@malipo/testing/eventually'
import { amina, openReceiver, startSimulator } from '../../start.harness'
import { fixture, shapeOf } from './fixtures.harness'

const sim = ofTest(() => startSimulator())
const receiver = ofTest(() => openReceiver())

const push = (fields: Record<string, unknown> = {}) =>
  sim.push({ CallBackURL: receiver.url, ...fields })
const answer = (action: string, pin?: string) =>
  sim.control('POST', `/phones/${amina}/prompt`, { action, ...(pin !== undefined && { pin }) })
const phone = async () => (await sim.control('GET', `/phones/${amina}`)).body
const book = async () => (await sim.control('GET', '/book')).body

/** The n-th received callback, parsed. */
const callback = async (count = 1) => {
  const text = await eventually('a callback', () => receiver.received[count - 1])
  return JSON.parse(text).Body.stkCallback
}

test('the right PIN moves the money once; callback, book, balance and SMS agree', async () => {
  const { body: pushed } = await push()
  await answer('approve', '1234')

  const [row, ...others] = await book()
  expect(others).toEqual([])
  expect(row).toMatchObject({
    provider: 'mpesa',
    kind: 'stk_push',
    msisdn: amina,
    business: '174379',
    account: 'A1B2C3D4E5F6',
    amount: '15050',
    at: '2026-11-20T11:25:01.373Z',
    reference: pushed.CheckoutRequestID,
  })

  const { CallbackMetadata, ...rest } = await callback()
  expect(rest).toEqual({
    MerchantRequestID: pushed.MerchantRequestID,
    CheckoutRequestID: pushed.CheckoutRequestID,
    ResultCode: 0,
    ResultDesc: 'The service request is processed successfully.',
  })
  const items: { Name: string; Value?: unknown }[] = CallbackMetadata.Item
  expect(items.filter(({ Name }) => Name !== 'Balance')).toEqual(
    expect.arrayContaining([
      { Name: 'Amount', Value: 150.5 },
      { Name: 'MpesaReceiptNumber', Value: row.receipt },
      { Name: 'TransactionDate', Value: 20261120142501 },
      { Name: 'PhoneNumber', Value: 254708374149 },
    ]),
  )

  const { balance, sms, prompt } = await phone()
  expect({ balance, prompt }).toEqual({ balance: '4984950', prompt: null })
  expect(sms[0].text).toContain(
    `${String(row.receipt)} Confirmed. Ksh150.50 sent to Malipo Payments`,
  )
  expect(sms[0].text).toContain('New M-PESA balance is Ksh49,849.50.')
})

test.each([
  ['cancel', undefined, 'callback-failed-cancelled'],
  ['wrong_pin', undefined, 'callback-failed-wrong-pin'],
  ['approve', '0000', 'callback-failed-wrong-pin'],
  ['no_funds', undefined, 'callback-failed-no-funds'],
])(
  'a push answered by %s with PIN %s ends as recorded, and no money moves',
  async (action, pin, recorded) => {
    const { body: pushed } = await push()
    await answer(action, pin)
    const { MerchantRequestID, CheckoutRequestID } = pushed
    const expected = fixture(recorded).body.Body.stkCallback
    expect(await callback()).toEqual({ ...expected, MerchantRequestID, CheckoutRequestID })
    expect(await book()).toEqual([])
    expect((await phone()).balance).toBe('5000000')
  },
)

test.each([
  ['locked', 'callback-failed-pin-locked'],
  ['daily_limit', 'callback-failed-daily-limit'],
])('a push to a phone in state %s ends as recorded', async (simState, recorded) => {
  await sim.control('PATCH', `/phones/${amina}`, { sim_state: simState })
  await push()
  await answer('approve')
  const { ResultCode, ResultDesc } = fixture(recorded).body.Body.stkCallback
  expect(await callback()).toMatchObject({ ResultCode, ResultDesc })
})

test('a payment above the balance of the phone fails with result code 1', async () => {
  await sim.control('PATCH', `/phones/${amina}`, { balance: '15049' })
  await push()
  await answer('approve')
  expect((await callback()).ResultCode).toBe(1)
})

test.each([
  ['off', 20_000],
  ['no_signal', 20_000],
  ['old_sim', 5_000],
])(
  'a phone in state %s shows no prompt, and the callback reports no answer',
  async (simState, afterMs) => {
    await sim.control('PATCH', `/phones/${amina}`, { sim_state: simState })
    await push()
    expect((await phone()).prompt).toBeNull()
    expect((await answer('approve')).status).toBe(409)
    await sim.jump(afterMs - 1)
    expect(receiver.received).toEqual([])
    await sim.jump(1)
    const { ResultCode, ResultDesc } = fixture('callback-failed-no-answer').body.Body.stkCallback
    expect(await callback()).toMatchObject({ ResultCode, ResultDesc })
  },
)

test.each([undefined, 'ignore'])(
  'a prompt without an answer (%s) rings a minute, then ends with 1037',
  async (action) => {
    await push()
    if (action !== undefined) {
      await answer(action)
      expect((await phone()).prompt).toBeNull()
      expect((await answer('approve')).status).toBe(409)
    }
    await sim.jump(59_999)
    expect(receiver.received).toEqual([])
    await sim.jump(1)
    const expected = fixture('callback-failed-no-answer-other-text').body.Body.stkCallback
    expect(await callback()).toMatchObject({
      ResultCode: expected.ResultCode,
      ResultDesc: expected.ResultDesc,
    })
    expect((await push()).status).toBe(200)
  },
)

test.each([
  ['above the maximum', { Amount: '250000.01' }, 'callback-failed-above-maximum'],
  ['below the minimum', { Amount: '0.99' }, 'callback-failed-below-minimum'],
  ['to another receiver', { PartyB: '600000' }, 'callback-failed-string-code'],
])(
  'a push %s is accepted, shown on no phone, and refused by the network',
  async (_what, fields, recorded) => {
    expect((await push(fields)).status).toBe(200)
    expect((await phone()).prompt).toBeNull()
    await sim.jump(1_000)
    expect((await callback()).ResultCode).toBe(fixture(recorded).body.Body.stkCallback.ResultCode)
  },
)

test('a push to a till with a Pay Bill short code fails with result code 2028', async () => {
  await push({ TransactionType: 'CustomerBuyGoodsOnline' })
  await sim.jump(1_000)
  expect((await callback()).ResultCode).toBe(2028)
})

describe('the same amount from the same phone', () => {
  const pay = async (action: string, fields: Record<string, unknown> = {}) => {
    const before = receiver.received.length
    await push(fields)
    await answer(action)
    return (await callback(before + 1)).ResultCode
  }

  test('is refused within two minutes of a successful payment, and accepted after that', async () => {
    expect(await pay('approve')).toBe(0)
    await sim.jump(119_999)
    expect(await pay('approve')).toBe(17)
    await sim.jump(1)
    expect(await pay('approve')).toBe(0)
  })

  test('is accepted right after a failed payment', async () => {
    expect(await pay('cancel')).toBe(1032)
    expect(await pay('wrong_pin')).toBe(2001)
    expect(await pay('approve')).toBe(0)
  })

  test('does not block a payment of another amount within two minutes', async () => {
    expect(await pay('approve')).toBe(0)
    expect(await pay('approve', { Amount: '150.51' })).toBe(0)
  })
})

test('callbacks of paid pushes vary between the recorded forms', async () => {
  const seen = new Set<string>()
  const amounts = new Set<string>()
  for (let paid = 1; paid <= 30; paid += 1) {
    await push({ Amount: String(paid) })
    await answer('approve')
    const body = await callback(paid)
    const text = receiver.received[paid - 1] ?? ''
    amounts.add(/"Name":"Amount","Value":\d+(\.00)?\}/.exec(text)?.[1] ?? 'whole')
    seen.add(JSON.stringify(shapeOf(body.CallbackMetadata.Item)))
    expect(new Set(Object.keys(body))).toContain('CallbackMetadata')
  }
  const recorded = ['callback-paid', 'callback-paid-balance-without-value'].map((name) =>
    JSON.stringify(shapeOf(fixture(name).body.Body.stkCallback.CallbackMetadata.Item)),
  )
  expect([...seen]).toEqual(expect.arrayContaining(recorded))
  expect(amounts).toEqual(new Set(['whole', '.00']))
})
