import { eventually } from '@malipo/testing/eventually'
import type { ContractStack } from './contract-stack'
import { openShop } from './shop'
import { newAddress, refusal, send } from './wire'

/** Expired checkouts. */
export function expiredCheckouts(given: () => ContractStack): void {
  const shop = openShop(given)

  test('an expired checkout cannot be paid by a prompt or a card, and an exact Pay Bill payment completes it', async () => {
    const { id } = await shop.checkout({ amount: 150_000 })
    const { json } = await shop.read(id)
    const { paybill } = json.data?.['checkout'] as {
      paybill: { business_number: string; account_number: string }
    }
    const status = async () => (await shop.view(id))['status']
    await eventually(
      'the checkout expires',
      async () => (await status()) === 'expired',
      60_000,
      500,
    )
    expect(refusal(await shop.pay(id, { phone: '254700000123' }))).toEqual([409, 2784])
    expect(refusal(await shop.card(id))).toEqual([409, 2784])
    const phone = await given().phones.ke.addPhone('approve')
    await given().phones.ke.payFromMenu(phone, { ...paybill, amount: '150000' })
    await eventually(
      'the checkout completes',
      async () => (await status()) === 'completed',
      60_000,
      500,
    )
    expect((await shop.view(id))['payment']).toMatchObject({
      ...{
        status: 'completed',
        amount_settled: '150000',
        provider_receipt: expect.any(String) as string,
      },
    })
  })
}

/** "The ledger did not answer" and "The key service did not answer" of the interface. */
export function unavailable(given: () => ContractStack): void {
  const shop = openShop(given)

  test('without the ledger, the routes that need it answer 503 2752', async () => {
    const { id } = await shop.checkout()
    const thaw = given().freeze('ledger-ke')
    try {
      const { baseUrl } = given().hosts.ke
      const handle = `${baseUrl}/v1/payments/public/handles/${given().demo.ke.username}`
      const replies = await Promise.all([
        shop.create({ amount: 150_000 }),
        shop.retrieve(id),
        shop.read(id),
        shop.pay(id, { phone: '254700000123' }),
        shop.intent(`pi_${'0'.repeat(24)}`),
        send(handle, { headers: newAddress() }),
      ])
      expect(replies.map(refusal)).toEqual(replies.map(() => [503, 2752]))
    } finally {
      thaw()
    }
  })

  test('without the key service, a key that was not seen before is 503 2782', async () => {
    const { secretKey: key } = await given().newAccount('ke')
    const thaw = given().freeze('keys')
    try {
      expect(refusal(await shop.create({ amount: 150_000 }, { key }))).toEqual([503, 2782])
    } finally {
      thaw()
    }
  })
}
