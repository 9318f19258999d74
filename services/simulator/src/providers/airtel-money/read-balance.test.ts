import { ofTest } from '@malipo/testing/lazily'
import { startSimulator } from '../../start.harness'
import { recorded } from '../recorded.harness'
import { airtelClient, joan } from './airtel-money.harness'

const sim = ofTest(() => startSimulator())
const airtel = airtelClient(sim)

const balance = async () => (await airtel.read('/standard/v1/users/balance')).body

test('the balance is what payers paid less what was refunded, in the recorded shape', async () => {
  const sample = recorded('airtel-money', 'balance-answer').body
  const before = await balance()
  expect(before).toEqual({ ...sample, data: { ...sample.data, balance: '0.00' } })
  await airtel.pay({ amount: 12_500 })
  await sim.control('POST', `/phones/${joan}/prompt`, { action: 'approve' })
  expect((await balance()).data.balance).toBe('12,500.00')
  const [{ receipt }] = (await sim.control('GET', '/book')).body
  await airtel.giveBack(receipt)
  expect((await balance()).data.balance).toBe('0.00')
})

test('the balance of Kenya has its cents', async () => {
  const moses = '254733123456'
  const headers = { 'x-country': 'KE', 'x-currency': 'KES' }
  await airtel.pay({ amount: 1_010.5, msisdn: moses.slice(3), headers })
  await sim.control('POST', `/phones/${moses}/prompt`, { action: 'approve' })
  const token = await airtel.token()
  const { body } = await sim.wire('GET', '/standard/v1/users/balance', { token, headers })
  expect(body.data).toMatchObject({ balance: '1,010.50', currency: 'KES' })
})
