import { ofFile } from '@malipo/testing/lazily'
import { successSchema } from '@malipo/interface/envelopes'
import { readCheckoutSchema } from '@malipo/interface/payer-checkout'
import { startHost } from '../start.harness'

const readSchema = successSchema('Checkout', readCheckoutSchema)

const host = ofFile(() => startHost())
const merchant = ofFile(() => host.merchant())

const read = async (id: string) => {
  const reply = await host.ask(`/v1/payments/public/checkouts/${id}`)
  expect(reply.status).toBe(200)
  return readSchema.parse(reply.body).data
}

test('shows the payer the amount and payee, without a key', async () => {
  const created = await host.checkout(merchant, {
    amount: 150_050,
    description: 'Maize',
    reference: 'secret-7',
    return_url: 'https://shop.example',
    phone: '0712345678',
  })
  expect(await read(created.id)).toEqual({
    checkout: {
      id: created.id,
      status: 'open',
      amount: '150050',
      currency: 'KES',
      description: 'Maize',
      phone: '254712345678',
      intent_id: null,
      return_url: 'https://shop.example',
      redirect_url: null,
      paybill: null,
      card: null,
      expires_at: created.expires_at,
    },
    payee: { paybill: null, amount: '150050' },
  })
})

test('shows the intent in flight, not a failed one, and then the paid one', async () => {
  const { id } = await host.checkout(merchant, { amount: 50_000 })
  const first = await host.startPayment(id)
  expect((await read(id)).checkout.intent_id).toBe(first.intentId)
  await host.ledger.decline(await host.ledger.submit(first.intentId), 'CANCELLED')
  expect((await read(id)).checkout.intent_id).toBeNull()
  const second = await host.startPayment(id)
  await host.ledger.pay(await host.ledger.submit(second.intentId), 50_000n)
  expect((await read(id)).checkout).toMatchObject({
    intent_id: second.intentId,
    status: 'completed',
  })
})

test('returns the redirect address once paid, and never the phone or the receipt', async () => {
  const { id } = await host.checkout(merchant, {
    amount: 50_000,
    reference: 'A 7',
    return_url: 'https://shop.example/?status=forged&cart=9#thanks',
  })
  const { intentId } = await host.startPayment(id, '254799999678')
  const receipt = await host.ledger.pay(await host.ledger.submit(intentId), 50_000n)
  const data = await read(id)
  expect(data.checkout.redirect_url).toBe(
    `https://shop.example/?cart=9&checkout=${id}&reference=A+7&status=completed#thanks`,
  )
  const { redirect_url, ...rest } = data.checkout
  expect(JSON.stringify(rest)).not.toMatch(new RegExp(`${receipt}|254799999678|A 7`))
})

test('offers a card with its fee and total when the account takes cards and the amount is in whole shillings', async () => {
  const shop = await host.merchant({ cardEnabled: true })
  const whole = await host.checkout(shop, { amount: 100_000 })
  const cents = await host.checkout(shop, { amount: 100_050 })
  // 3.5 % of 1,000.00 is 35.00.
  expect((await read(whole.id)).checkout.card).toEqual({ fee: '3500', total: '103500' })
  expect((await read(cents.id)).checkout.card).toBeNull()
})

test.each(['cs_ke_000000000000000000000000', 'cs_ug_000000000000000000000000'])(
  'an unknown id is 404 2783: %s',
  async (id) => {
    const reply = await host.ask(`/v1/payments/public/checkouts/${id}`)
    expect([reply.status, reply.body.code]).toEqual([404, 2783])
  },
)

test('returns 400 1701 for an id of another shape', async () => {
  const reply = await host.ask('/v1/payments/public/checkouts/cs_ke_1')
  expect([reply.status, reply.body.code]).toEqual([400, 1701])
})

test('returns 404 2783 to a read, a prompt and a card while the wallet of the merchant is frozen', async () => {
  const shop = await host.merchant({ cardEnabled: true })
  const { id } = await host.checkout(shop, { amount: 50_000 })
  const path = `/v1/payments/public/checkouts/${id}`
  const headers = { 'idempotency-key': 'k' }
  await host.rows(`UPDATE wallets SET frozen_at = now() WHERE account_id = '${shop.accountId}'`)
  const replies = await Promise.all([
    host.ask(path),
    host.ask(`${path}/pay`, { body: { phone: '254712345678' }, headers }),
    host.ask(`${path}/card`, { body: {}, headers }),
  ])
  expect(replies.map(({ status, body }) => [status, body.code])).toEqual(
    replies.map(() => [404, 2783]),
  )
})
