import { ofTest } from '@malipo/testing/lazily'
import { startSimulator } from '../../start.harness'
import { recorded } from '../recorded.harness'
import { airtelClient, inUganda, joan, paymentId } from './airtel-money.harness'

const sim = ofTest(() => startSimulator())
const airtel = airtelClient(sim)

const phone = async () => (await sim.control('GET', `/phones/${joan}`)).body

test('answers the recorded request as recorded, and opens a prompt on the phone', async () => {
  const { body } = recorded('airtel-money', 'pay-request')
  const answer = await sim.wire('POST', '/merchant/v1/payments/', {
    token: await airtel.token(),
    headers: inUganda,
    body: JSON.stringify(body),
  })
  const { data, status } = recorded('airtel-money', 'pay-answer-accepted').body
  expect(answer.status).toBe(200)
  expect(answer.body.status).toEqual(status)
  expect([false, data.transaction.id]).toContain(answer.body.data.transaction.id)
  expect((await phone()).prompt).toMatchObject({
    amount: '500000',
    account: 'Mama Mboga Fresh A1B2C3D4E5F6',
  })
})

describe('in Kenya', () => {
  const inKenya = { 'x-country': 'KE', 'x-currency': 'KES' }
  const moses = '254733123456'

  test('asks the phone for shillings and cents, in a separate business', async () => {
    const answer = await airtel.pay({ headers: inKenya, msisdn: moses.slice(3), amount: 1_234.5 })
    expect(answer.body.status.success).toBe(true)
    const { prompt } = (await sim.control('GET', `/phones/${moses}`)).body
    expect(prompt).toMatchObject({ amount: '123450', business: 'airtel-ke' })
  })

  test('does not find a payment of Uganda', async () => {
    await airtel.pay()
    const path = `/standard/v1/payments/${paymentId}`
    const token = await airtel.token()
    expect((await sim.wire('GET', path, { token, headers: inKenya })).body.status).toMatchObject(
      recorded('airtel-money', 'enquiry-answer-not-found').body.status,
    )
  })

  test('refuses the currency of Uganda, and numbers of Uganda', async () => {
    const mixed = await airtel.pay({ headers: { 'x-country': 'KE' } })
    expect(mixed.body.status.result_code).toBe('ROUTER112')
    expect(await airtel.pay({ headers: inKenya, msisdn: joan.slice(3) })).toMatchObject(
      recorded('airtel-money', 'pay-error-msisdn-not-found'),
    )
  })
})

test('at times returns `false` as the payment id, as in the portal’s example', async () => {
  const ids = new Set<unknown>()
  for (let count = 0; count < 40; count += 1) {
    const { body } = await airtel.pay({ id: `id-${String(count)}` })
    ids.add(typeof body.data.transaction.id)
  }
  expect(ids).toEqual(new Set(['string', 'boolean']))
})

test.each([
  ['pay-error-msisdn-not-found', { msisdn: '752999999' }],
  ['pay-error-msisdn-not-found', { msisdn: '772123456' }],
  ['pay-error-msisdn-invalid', { msisdn: joan }],
  ['pay-error-msisdn-invalid', { msisdn: '0752123456' }],
  ['pay-error-router-country', { headers: { 'x-country': 'TZ' } }],
])('returns the recorded %s for %p, without a prompt', async (name, changes) => {
  expect(await airtel.pay(changes)).toMatchObject(recorded('airtel-money', name))
  expect((await phone()).prompt).toBeNull()
})

test.each([
  ['an amount that is text', { amount: '5000' }],
  ['a part of a shilling', { amount: 50.5 }],
  ['nothing', { amount: 0 }],
  ['an id with other characters', { id: 'pi_0f4c' }],
  ['no id', { id: '' }],
])('refuses %s with the "ambiguous" code ESB000008', async (_, changes) => {
  const { status, body } = await airtel.pay(changes)
  expect([status, body.status.result_code]).toEqual([200, 'ESB000008'])
})

test.each([
  ['no currency', { 'x-currency': '' }, 'ROUTER003'],
  ['another currency', { 'x-currency': 'KES' }, 'ROUTER112'],
])(
  'a request with %s is refused by the gateway before it reaches Airtel',
  async (_, headers, code) => {
    expect((await airtel.pay({ headers })).body.status.result_code).toBe(code)
  },
)

test('refuses a payment from an unregistered phone with 400', async () => {
  await sim.control('PATCH', `/phones/${joan}`, { sim_state: 'not_registered' })
  expect((await airtel.pay()).status).toBe(400)
})

test('refuses a payment id that was used before as recorded, without a prompt', async () => {
  await airtel.pay()
  await sim.control('POST', `/phones/${joan}/prompt`, { action: 'cancel' })
  expect(await airtel.pay()).toMatchObject(recorded('airtel-money', 'pay-answer-duplicate-500'))
  expect((await phone()).prompt).toBeNull()
})

test('a second payment on one phone fails after a second, and the first prompt stays open', async () => {
  await airtel.pay()
  await airtel.pay({ id: 'another' })
  await sim.jump(1_000)
  expect((await airtel.enquire('another')).body.data.transaction.status).toBe('TF')
  expect((await airtel.enquire(paymentId)).body.data.transaction.status).toBe('TIP')
})

test.each([
  ['gateway_timeout', 'any-error-gateway-timeout', 504],
  ['connection_timeout', 'any-error-connection-timeout', 408],
  ['internal', 'pay-error-something-went-wrong', 500],
  ['spike_arrest', 'any-error-too-many-requests', 429],
])('returns %s when a rule says so', async (error, name, status) => {
  await sim.control('POST', '/rules', { on: 'push', effect: { kind: 'error', error } })
  const answer = await airtel.pay()
  expect(answer.status).toBe(status)
  expect(answer.body).toEqual(recorded('airtel-money', name).body)
})
