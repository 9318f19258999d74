import { startSimulator, type RunningSimulator } from '../../start.harness'
import { airtelClient, joan } from './airtel-money.harness'
import { encryptFor } from './encrypt.harness'

let sim: RunningSimulator
let airtel: ReturnType<typeof airtelClient>
let pin: string
beforeEach(async () => {
  sim = await startSimulator()
  airtel = airtelClient(sim)
  pin = encryptFor((await airtel.read('/v1/rsa/encryption-keys')).body.data.key, '1234')
  // The merchant can send only money that it has received, so Joan pays 5,000 first.
  await airtel.pay()
  await sim.control('POST', `/phones/${joan}/prompt`, { action: 'approve' })
})
afterEach(() => sim.stop())

const phone = async () => (await sim.control('GET', `/phones/${joan}`)).body
const payouts = async () => (await sim.control('GET', '/book?since=1')).body
const balance = async () => (await airtel.read('/standard/v1/users/balance')).body.data.balance
const enquire = async (id: string) => (await airtel.read(`/standard/v1/disbursements/${id}`)).body

test.each(['v1', 'v2'])('a %s payout is sent at once; book and SMS agree', async (version) => {
  const before = await phone()
  const { body } = await airtel.payOut({ pin }, version)
  const [row, ...others] = await payouts()
  expect(others).toEqual([])
  expect(row).toMatchObject({
    kind: 'payout',
    msisdn: joan,
    amount: '100000',
    reference: 'payout-1',
  })
  expect(body).toMatchObject({
    data: { transaction: { airtel_money_id: row.receipt, id: 'payout-1', status: 'TS' } },
    status: { response_code: 'DP00900001001', success: true },
  })
  expect((await enquire('payout-1')).data.transaction.status).toBe('TS')
  const after = await phone()
  expect(BigInt(after.balance) - BigInt(before.balance)).toBe(100_000n)
  expect(after.sms[0].text).toContain(row.receipt)
  expect(await balance()).toBe('4,000.00')
})

test('refuses a second payout with the same id', async () => {
  await airtel.payOut({ pin })
  const again = await airtel.payOut({ pin })
  expect(again.body.status).toMatchObject({ response_code: 'DP00900001017', success: false })
  expect(await payouts()).toHaveLength(1)
})

test.each([
  ['more than the merchant has', { amount: 5_001 }, 'DP00900001007'],
  ['a number that does not exist', { msisdn: '759999999' }, 'DP00900001012'],
  ['a PIN that is not encrypted', { pin: '1234' }, 'DP00900001005'],
  ['part of a shilling', { amount: 0.5 }, 'DP00900001004'],
])('does not send %s', async (_, changes, code) => {
  const { body } = await airtel.payOut({ pin, ...changes })
  expect(body.status).toMatchObject({ response_code: code, success: false })
  expect(await payouts()).toEqual([])
})

test('returns the error DP00900001015 for an unknown payout', async () => {
  expect((await enquire('payout-2')).status.response_code).toBe('DP00900001015')
})

test('refuses the refund of a payment when a payout has left too little balance', async () => {
  await airtel.payOut({ pin })
  const [{ receipt }] = (await sim.control('GET', '/book')).body
  expect((await airtel.giveBack(receipt)).body.status.message).toBe('FAILED')
  expect(await payouts()).toHaveLength(1)
  expect(await balance()).toBe('4,000.00')
})

test('a payout of a session is found by its id without the session, and not in Kenya', async () => {
  const msisdn = '256752000001'
  const session = sim.session('run')
  await session.control('POST', '/phones', { msisdn, policy: { answer: 'approve' } })
  await airtel.pay({ id: 'of-the-session', msisdn: msisdn.slice(3) })
  await session.jump(0)
  await airtel.payOut({ id: 'to-the-session', msisdn: msisdn.slice(3), pin })
  expect((await enquire('to-the-session')).data.transaction.status).toBe('TS')
  const headers = { 'x-country': 'KE', 'x-currency': 'KES' }
  const path = '/standard/v1/disbursements/to-the-session'
  const { body } = await sim.wire('GET', path, { token: await airtel.token(), headers })
  expect(body.status.message).toBe('Transaction Not Found')
})
