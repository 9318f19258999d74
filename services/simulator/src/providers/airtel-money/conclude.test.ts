import { createHmac } from 'node:crypto'
import { eventually } from '@malipo/testing/eventually'
import {
  airtelMoney,
  openReceiver,
  startSimulator,
  type Receiver,
  type RunningSimulator,
} from '../../start.harness'
import { recorded } from '../recorded.harness'
import { airtelClient, joan, paymentId } from './airtel-money.harness'

let receiver: Receiver
let sim: RunningSimulator
let airtel: ReturnType<typeof airtelClient>
beforeEach(async () => {
  receiver = await openReceiver()
  await start({})
})
afterEach(async () => {
  await sim.stop()
  await receiver.stop()
})

async function start(changes: Partial<typeof airtelMoney>) {
  const settings = { ...airtelMoney, callbackUrls: { UG: receiver.url }, ...changes }
  sim = await startSimulator({ airtelMoney: settings })
  airtel = airtelClient(sim)
}

const answer = (action: string) => sim.control('POST', `/phones/${joan}/prompt`, { action })
const callback = () => eventually('a callback', () => receiver.received[0])
const transaction = async () => (await airtel.enquire()).body.data.transaction

test('the right PIN moves the money once; callback, enquiry, book and SMS agree', async () => {
  await airtel.pay()
  await answer('approve')
  const [row, ...others] = (await sim.control('GET', '/book')).body
  expect(others).toEqual([])
  expect(row).toMatchObject({
    provider: 'airtel_money',
    kind: 'ussd_push',
    msisdn: joan,
    business: 'airtel-ug',
    account: 'A1B2C3D4E5F6',
    amount: '500000',
    reference: paymentId,
    receipt: expect.stringMatching(/^MP\d{6}\.\d{4}\.[A-Z]\d{5}$/),
  })
  const { body } = await airtel.enquire()
  const sample = recorded('airtel-money', 'enquiry-answer-success').body
  expect(Object.keys(body.data.transaction)).toEqual(Object.keys(sample.data.transaction))
  expect(body.data.transaction).toMatchObject({ airtel_money_id: row.receipt, status: 'TS' })
  expect(body.status).toEqual(sample.status)
  expect(JSON.parse(await callback()).transaction).toMatchObject({
    id: paymentId,
    status_code: 'TS',
    airtel_money_id: row.receipt,
  })
  const phone = (await sim.control('GET', `/phones/${joan}`)).body
  expect(phone.balance).toBe('49500000')
  expect(phone.sms[0].text).toContain(`Paid UGX 5,000 to Malipo Payments`)
})

test.each([
  ['cancel', 'DP00800001008'],
  ['wrong_pin', 'DP00800001002'],
  ['no_funds', 'DP00800001007'],
])(
  'a payment that ends by %s fails with %s, whatever the envelope says, and no money moves',
  async (action, code) => {
    await airtel.pay()
    await answer(action)
    const { body } = await airtel.enquire()
    expect(body.data.transaction.status).toBe('TF')
    expect(body.status.response_code).toBe(code)
    expect(body.data.transaction).not.toHaveProperty('airtel_money_id')
    expect((await sim.control('GET', '/book')).body).toEqual([])
    expect(JSON.parse(await callback()).transaction.status_code).toBe('TF')
  },
)

test('an enquiry about a failed payment at times has `success: true` in its envelope, as in a real sample', async () => {
  const envelopes = new Set<boolean>()
  for (let count = 0; count < 12; count += 1) {
    await airtel.pay({ id: `id-${String(count)}` })
    await answer('cancel')
    envelopes.add((await airtel.enquire(`id-${String(count)}`)).body.status.success)
  }
  expect(envelopes).toEqual(new Set([true, false]))
})

test.each([
  ['on', 180_000, 'TF'],
  ['off', 20_000, 'TE'],
])(
  'an unanswered payment on a phone that is %s ends after %i ms as %s',
  async (simState, afterMs, status) => {
    await sim.control('PATCH', `/phones/${joan}`, { sim_state: simState })
    await airtel.pay()
    await sim.jump(afterMs - 1)
    expect((await transaction()).status).toBe('TIP')
    await sim.jump(1)
    expect((await transaction()).status).toBe(status)
  },
)

test('callbacks are signed over the compact JSON of the transaction', async () => {
  await airtel.pay()
  await answer('approve')
  const body = await callback()
  const parts = /^\{"transaction":(\{.*\}),"hash":"(.*)"\}$/.exec(body)
  const hash = createHmac('sha256', 'key-of-the-callbacks').update(parts?.[1] ?? '')
  expect(parts?.[2]).toBe(hash.digest('base64'))
  const sample = recorded('airtel-money', 'callback-success-signed').body
  expect(Object.keys(JSON.parse(body).transaction)).toEqual(Object.keys(sample.transaction))
})

test('callbacks have no hash when callback authentication is off', async () => {
  await sim.stop()
  await start({ callbackKey: undefined })
  await airtel.pay()
  await answer('approve')
  expect(Object.keys(JSON.parse(await callback()))).toEqual(['transaction'])
})

test('sends no callback when the portal has no address', async () => {
  await sim.stop()
  await start({ callbackUrls: {} })
  await airtel.pay()
  await answer('approve')
  expect((await transaction()).status).toBe('TS')
  expect(receiver.received).toEqual([])
})

test('an unknown payment is not found, as recorded', async () => {
  expect(await airtel.enquire('nothing')).toMatchObject(
    recorded('airtel-money', 'enquiry-answer-not-found'),
  )
})

test('a successful payment of the magic number 025 is not found by any query', async () => {
  await airtel.pay({ msisdn: '750555025' })
  await sim.jump(2_000)
  expect((await sim.control('GET', '/book')).body).toHaveLength(1)
  for (let queries = 0; queries < 5; queries += 1) {
    expect(await airtel.enquire()).toMatchObject(
      recorded('airtel-money', 'enquiry-answer-not-found'),
    )
  }
})

test.each([
  ['TA', 'TA'],
  ['TIP', 'TIP'],
  ['DP00800001007', 'TF'],
  ['DP00800001024', 'TA'],
  ['TS', 'TS'],
])('a rule can make an enquiry answer falsely with %s, without a receipt', async (code, status) => {
  await sim.control('POST', '/rules', { on: 'query', effect: { kind: 'lie', code }, times: 1 })
  await airtel.pay()
  const lie = await transaction()
  expect(lie.status).toBe(status)
  expect(lie).not.toHaveProperty('airtel_money_id')
  expect((await transaction()).status).toBe('TIP')
})
