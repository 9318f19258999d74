import { ofTest } from '@malipo/testing/lazily'
import { amina, brian, mpesa, startSimulator, type Answer } from '../../start.harness'
import { fixture, shapeOf } from './fixtures.harness'

const sim = ofTest(() => startSimulator())

const path = '/mpesa/stkpush/v1/processrequest'

function expectRecorded(answer: Answer, recorded: string): void {
  const { requestId: _theirs, ...expected } = fixture(recorded).body
  const { requestId, ...body } = answer.body
  expect({ status: answer.status, body }).toEqual({
    status: fixture(recorded).status,
    body: expected,
  })
  expect(requestId).toEqual(expect.stringMatching(/^[0-9a-f]+(?:-[0-9a-f]+)+$/))
}

test('accepts a valid push, at times without CustomerMessage in the answer', async () => {
  const shapes = new Set<string>()
  for (let call = 0; call < 60; call += 1) {
    const { status, body } = await sim.push()
    expect(status).toBe(200)
    expect(body.ResponseCode).toBe('0')
    shapes.add(JSON.stringify(shapeOf(body)))
    await sim.control('POST', `/phones/${amina}/prompt`, { action: 'cancel' })
  }
  const recorded = ['push-answer-accepted', 'push-answer-accepted-without-customer-message']
  expect(shapes).toEqual(
    new Set(recorded.map((name) => JSON.stringify(shapeOf(fixture(name).body)))),
  )
})

test('puts a prompt with merchant, amount and account on the phone for a minute', async () => {
  const { body: pushed } = await sim.push()
  const { body: phone } = await sim.control('GET', `/phones/${amina}`)
  expect(phone.prompt).toEqual({
    id: pushed.CheckoutRequestID,
    amount: '15050',
    business: '174379',
    business_name: 'Malipo Payments',
    account: 'A1B2C3D4E5F6',
    expires_at: '2026-11-20T11:26:01.373Z',
    expires_in_ms: 60_000,
  })
})

test('accepts numbers where the portal shows numbers, and strings as well', async () => {
  const { BusinessShortCode, PartyA, PartyB, PhoneNumber } = fixture('push-request').body
  const numbers = { BusinessShortCode, PartyA, PartyB, PhoneNumber, Amount: 1 }
  expect(shapeOf(numbers)).toEqual(
    Object.fromEntries(Object.keys(numbers).map((name) => [name, 'number'])),
  )
  expect((await sim.push(numbers)).status).toBe(200)
})

test.each([
  ['BusinessShortCode', '12', 'BusinessShortCode'],
  ['BusinessShortCode', undefined, 'BusinessShortCode'],
  ['Timestamp', '20261320142501', 'Timestamp'],
  ['Timestamp', '2026-11-20', 'Timestamp'],
  ['TransactionType', 'CustomerPayBill', 'TransactionType'],
  ['Amount', '0', 'Amount'],
  ['Amount', '-1', 'Amount'],
  ['Amount', 'ten', 'Amount'],
  ['Amount', '1.005', 'Amount'],
  ['Amount', 1e21, 'Amount'],
  ['Amount', true, 'Amount'],
  ['PartyA', '0708374149', 'PartyA'],
  ['PartyB', 'till', 'PartyB'],
  ['PhoneNumber', '+254708374149', 'PhoneNumber'],
  ['PhoneNumber', '254208374149', 'PhoneNumber'],
  ['CallBackURL', 'your callback', 'CallBackURL'],
  ['CallBackURL', 'https://example.com/cb ', 'CallBackURL'],
  ['CallBackURL', 'ftp://example.com/cb', 'CallBackURL'],
  ['AccountReference', 'ABCDEFGHIJKLM', 'AccountReference'],
  ['AccountReference', 'A#1', 'AccountReference'],
  ['AccountReference', undefined, 'AccountReference'],
  ['TransactionDesc', undefined, 'Remarks'],
  ['TransactionDesc', 'x'.repeat(101), 'Remarks'],
])('refuses %s %p as Invalid %s', async (field, value, named) => {
  const { status, body } = await sim.push({ [field]: value })
  expect(status).toBe(400)
  expect(body).toMatchObject({
    errorCode: '400.002.02',
    errorMessage: `Bad Request - Invalid ${named}`,
  })
})

test.each([
  ['TransactionDesc', 'fourteen chars', 'Remarks'],
  ['TransactionType', 'CustomerPayBillOnline ', 'TransactionType'],
  ['CallBackURL', 'https://example.com/M-Pesa/cb', 'CallBackURL'],
  ['CallBackURL', 'https://example.com/query', 'CallBackURL'],
])('refuses %s %p in the strict profile alone', async (field, value, named) => {
  const strict = await startSimulator({ mpesa: { ...mpesa, profile: 'strict' } })
  const { body } = await strict.push({ [field]: value })
  await strict.stop()
  expect(body.errorMessage).toBe(`Bad Request - Invalid ${named}`)
  expect((await sim.push({ [field]: value })).status).toBe(200)
})

test('accepts cents unless whole shillings are required', async () => {
  const strict = await startSimulator({ mpesa: { ...mpesa, wholeShillings: true } })
  expectRecorded(await strict.push({ Amount: '150.50' }), 'push-error-invalid-amount')
  expectRecorded(await strict.push({ Amount: '150.00' }), 'push-error-invalid-amount')
  expect((await strict.push({ Amount: '150' })).status).toBe(200)
  await strict.stop()
})

test.each([
  ['an unknown number', { PhoneNumber: '254700000009' }, 'push-error-invalid-phone-number'],
  ['an unknown merchant', { BusinessShortCode: '600000' }, 'push-error-merchant-does-not-exist'],
  ['a wrong password', { Password: 'eA==' }, 'push-error-wrong-credentials'],
  ['no password', { Password: undefined }, 'push-error-wrong-credentials'],
  ['a password of another time', { Timestamp: '20261120142502' }, 'push-error-wrong-credentials'],
])('refuses %s', async (_what, fields, recorded) => {
  expectRecorded(await sim.push(fields), recorded)
})

test('the event of a push to an unknown number has its account, its phone and the reason', async () => {
  await sim.push({ PhoneNumber: '254700000009' })
  const facts = { account: 'A1B2C3D4E5F6', msisdn: '254700000009', why: 'Invalid PhoneNumber' }
  const { body } = await sim.control('POST', '/expect', { kind: 'request_refused', facts })
  expect(body.met).toBe(true)
})

test.each([
  ['without M-PESA', { sim_state: 'not_registered' }],
  ['of another network', { network: 'airtel' }],
])('refuses a phone %s as an invalid number', async (_what, change) => {
  await sim.control('PATCH', `/phones/${amina}`, change)
  expectRecorded(await sim.push(), 'push-error-invalid-phone-number')
})

test('refuses a second prompt while one is open, and only on that phone', async () => {
  await sim.push()
  expectRecorded(await sim.push(), 'push-error-subscriber-locked')
  expect((await sim.push({ PhoneNumber: brian })).status).toBe(200)
  await sim.control('POST', `/phones/${amina}/prompt`, { action: 'cancel' })
  expect((await sim.push()).status).toBe(200)
})

test.each([
  [true, 'stk_push'],
  [false, undefined],
])(
  'a rule can answer that the system is busy; whether the phone still rings: %s',
  async (performed, kind) => {
    const effect = { kind: 'error', error: 'system_busy', performed }
    await sim.control('POST', '/rules', { on: 'push', effect })
    expectRecorded(await sim.push(), 'any-error-system-busy')
    await sim.control('POST', `/phones/${amina}/prompt`, { action: 'approve' })
    expect((await sim.control('GET', '/book')).body[0]?.kind).toBe(kind)
  },
)

test('refuses a second prompt while the network still tries to reach the phone', async () => {
  await sim.control('PATCH', `/phones/${amina}`, { sim_state: 'off' })
  await sim.push()
  expectRecorded(await sim.push(), 'push-error-subscriber-locked')
})

test.each([
  ['no token', {}, 404, '404.001.04'],
  ['an unknown token', { token: 'x' }, 404, '404.001.03'],
])('refuses %s', async (_what, options, status, errorCode) => {
  const answer = await sim.wire('POST', path, { ...options, body: '{}' })
  expect(answer).toMatchObject({ status, body: { errorCode } })
})

test('a missing content type shows as an invalid short code, a broken body as an invalid payload', async () => {
  const token = await sim.token()
  const text = { 'content-type': 'text/plain' }
  expectRecorded(
    await sim.wire('POST', path, { token, body: '{}', headers: text }),
    'push-error-invalid-short-code',
  )
  for (const body of ['{"Amount":', '[]', '"x"', 'x'.repeat(20_000)]) {
    expect((await sim.wire('POST', path, { token, body })).body.errorCode).toBe('400.002.05')
  }
})

test('another method and another path are refused with the errors of Daraja', async () => {
  expectRecorded(await sim.wire('GET', path), 'any-error-method-not-allowed')
  expectRecorded(await sim.wire('POST', '/mpesa/stkpush/v2/x'), 'any-error-resource-not-found')
})
