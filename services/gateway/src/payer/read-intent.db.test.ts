import { ofFile } from '@malipo/testing/lazily'
import { successSchema } from '@malipo/interface/envelopes'
import { intentSchema } from '@malipo/interface/payment'
import { startHost } from '../start.harness'

const host = ofFile(() => startHost())

const ask = (id: string) => host.ask(`/v1/payments/public/intents/${id}`)

test('returns the id, currency, status and amount_settled, which is 0 until the payment is settled', async () => {
  const { id } = await host.checkout(await host.merchant(), { amount: 50_000 })
  const { intentId } = await host.startPayment(id)
  const read = async () => {
    const reply = await ask(intentId)
    expect(reply.status).toBe(200)
    return successSchema('Intent retrieved', intentSchema).parse(reply.body).data
  }
  const view = { intent_id: intentId, currency: 'KES' }
  expect(await read()).toEqual({ ...view, status: 'reserved', amount_settled: '0' })
  const token = await host.ledger.submit(intentId)
  expect(await read()).toEqual({ ...view, status: 'pending', amount_settled: '0' })
  await host.ledger.pay(token, 50_000n)
  expect(await read()).toEqual({ ...view, status: 'completed', amount_settled: '50000' })
})

test('returns reversed once the money was given back to the payer', async () => {
  const { id } = await host.checkout(await host.merchant(), { amount: 50_000 })
  const { intentId } = await host.startPayment(id)
  await host.ledger.giveBack(await host.ledger.pay(await host.ledger.submit(intentId), 50_000n))
  expect((await ask(intentId)).body.data).toEqual({
    intent_id: intentId,
    status: 'reversed',
    amount_settled: '50000',
    currency: 'KES',
  })
})

test.each(['pi_000000000000000000000000', 'pi_unknown'])(
  'an unknown id is 404 2706: %s',
  async (id) => {
    const reply = await ask(id)
    expect([reply.status, reply.body.code]).toEqual([404, 2706])
  },
)

test.each(['000000000000000000000000', 'pi_', 'cs_ke_000000000000000000000000', 'pi_%00'])(
  'what is no intent id is 400 1701: %s',
  async (id) => {
    const reply = await ask(id)
    expect([reply.status, reply.body.code]).toEqual([400, 1701])
  },
)
