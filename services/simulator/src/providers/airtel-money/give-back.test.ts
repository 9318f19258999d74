import { ofTest } from '@malipo/testing/lazily'
import { startSimulator } from '../../start.harness'
import { recorded } from '../recorded.harness'
import { airtelClient, joan } from './airtel-money.harness'

const sim = ofTest(() => startSimulator())
const airtel = airtelClient(sim)

const balance = async () => (await sim.control('GET', `/phones/${joan}`)).body.balance

async function paid(): Promise<string> {
  await airtel.pay()
  await sim.control('POST', `/phones/${joan}/prompt`, { action: 'approve' })
  return (await airtel.enquire()).body.data.transaction.airtel_money_id
}

test('refunds a payment in full, once, with a new receipt', async () => {
  const receipt = await paid()
  const sample = recorded('airtel-money', 'refund-answer-success')
  const { status, body } = await airtel.giveBack(receipt)
  expect([status, body.status]).toEqual([sample.status, sample.body.status])
  const [, row] = (await sim.control('GET', '/book')).body
  expect(row).toMatchObject({ kind: 'reversal', account: receipt, amount: '500000', msisdn: joan })
  expect(body.data.transaction).toEqual({ airtel_money_id: row.receipt, status: 'SUCCESS' })
  expect(row.receipt).not.toBe(receipt)
  expect(await balance()).toBe('50000000')
  expect(await airtel.giveBack(receipt)).toMatchObject(
    recorded('airtel-money', 'refund-answer-again'),
  )
  expect(await balance()).toBe('50000000')
})

test.each(['MP000000.0000.A00000', 'CI210104.1549.C00029'])(
  'a refund of the unknown receipt %s is refused as recorded',
  async (receipt) => {
    expect(await airtel.giveBack(receipt)).toMatchObject(
      recorded('airtel-money', 'refund-answer-not-found'),
    )
  },
)

test('refuses a refund of an invalid receipt as a bad field', async () => {
  expect((await airtel.giveBack('')).body.status.result_code).toBe('ESB000008')
})

test('a rule of kind lie does not change a refund, which Airtel answers at once', async () => {
  await sim.control('POST', '/rules', { on: 'refund', effect: { kind: 'lie', code: 'TF' } })
  expect((await airtel.giveBack(await paid())).body.status.message).toBe('SUCCESS')
  expect((await sim.control('GET', '/rules')).body).toMatchObject([{ matched: 0, applied: 0 }])
  const { body: events } = await sim.control('GET', '/events')
  expect(events).not.toContainEqual(expect.objectContaining({ kind: 'rule_applied' }))
})
