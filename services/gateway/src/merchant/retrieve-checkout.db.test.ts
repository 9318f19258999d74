import { ofFile } from '@malipo/testing/lazily'
import { successSchema } from '@malipo/interface/envelopes'
import { merchantCheckoutSchema } from '@malipo/interface/merchant-checkout'
import { startHost } from '../start.harness'

const path = '/v1/payments/merchant/checkouts'
const retrievedSchema = successSchema('Checkout', merchantCheckoutSchema)

const host = ofFile(() => startHost())
const merchant = ofFile(() => host.merchant())

const create = async () => (await host.checkout(merchant, { amount: 50_000 })).id
const retrieve = (id: string, { secretKey } = merchant) =>
  host.ask(`${path}/${id}`, { headers: { authorization: `Bearer ${secretKey}` } })

test('shows what was created, and no payment before the first intent', async () => {
  const created = await host.checkout(merchant, { amount: 50_000, reference: 'r-1' })
  const reply = await retrieve(created.id)
  expect(reply.status).toBe(200)
  expect(retrievedSchema.parse(reply.body).data).toEqual(created)
})

test('shows the intent in flight, and then its settlement', async () => {
  const id = await create()
  const { intentId } = await host.startPayment(id, '254712345678')
  const before = retrievedSchema.parse((await retrieve(id)).body).data
  expect(before).toMatchObject({
    status: 'open',
    payment: {
      intent_id: intentId,
      status: 'reserved',
      amount_settled: null,
      provider_receipt: null,
      phone: '254712345678',
    },
  })

  const receipt = await host.ledger.pay(await host.ledger.submit(intentId), 50_000n)
  const after = retrievedSchema.parse((await retrieve(id)).body).data
  expect(after).toMatchObject({
    status: 'completed',
    payment: { status: 'completed', amount_settled: '50000', provider_receipt: receipt },
  })
})

test('shows a failed intent while the checkout is still open', async () => {
  const id = await create()
  const { intentId } = await host.startPayment(id)
  await host.ledger.decline(await host.ledger.submit(intentId), 'WRONG_PIN')
  expect((await retrieve(id)).body.data).toMatchObject({
    status: 'open',
    payment: { status: 'failed', amount_settled: null, provider_receipt: null },
  })
})

test('shows a payment that was given back as reversed, and the checkout as completed', async () => {
  const id = await create()
  const { intentId } = await host.startPayment(id)
  const receipt = await host.ledger.pay(await host.ledger.submit(intentId), 50_000n)
  await host.ledger.giveBack(receipt)
  expect((await retrieve(id)).body.data).toMatchObject({
    status: 'completed',
    payment: { status: 'reversed', amount_settled: '50000', provider_receipt: receipt },
  })
})

test('returns 404 2783 for a checkout of another account and for one that never existed', async () => {
  const id = await create()
  const others = await retrieve(id, await host.merchant())
  const unknown = await retrieve('cs_ke_000000000000000000000000')
  const elsewhere = await retrieve('cs_ug_000000000000000000000000')
  for (const reply of [others, unknown, elsewhere]) {
    expect([reply.status, reply.body.code]).toEqual([404, 2783])
    const { request_id, ...body } = reply.body
    expect(body).toEqual({ ok: false, code: 2783, description: 'No checkout with this id' })
    expect(request_id).toBe(reply.headers['x-request-id'])
  }
})

test.each([
  'cs_ke_0',
  'cs_tz_000000000000000000000000',
  'cs_ke_00000000000000000000000G',
  'cs_ke_000000000000000000000000%00',
  '%ff',
  'x'.repeat(5_000),
])('returns 400 1701 for an id of another shape, before the key is checked: %.40s', async (id) => {
  const reply = await host.ask(`${path}/${id}`)
  expect([reply.status, reply.body.code]).toEqual([400, 1701])
})
