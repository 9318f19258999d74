import type { ContractStack } from './contract-stack'
import { openShop } from './shop'
import { dataOf, newAddress, newKey, refusal } from './wire'

/** "Hosted checkout: pay by card" of the interface. */
export function cards(given: () => ContractStack): void {
  const shop = openShop(given)

  test('begins a session with amount, fee and total; the same key is a replay', async () => {
    const { id } = await shop.checkout()
    const key = newKey()
    const payer = {
      payer_name: 'Wanjiru',
      payer_email: 'wanjiru@payer.example',
      phone: '254700000123',
    }
    const request = { headers: key, body: payer }
    const data = dataOf(await shop.card(id, request), {
      status: 202,
      description: 'Card payment initiated',
    })
    expect(data).toMatchObject({
      amount: '150000',
      fee: expect.stringMatching(/^\d+00$/) as string,
      total: expect.stringMatching(/^\d+00$/) as string,
    })
    expect(BigInt(String(data['total']))).toBe(150_000n + BigInt(String(data['fee'])))
    const replay = dataOf(await shop.card(id, request), {
      status: 200,
      description: 'Card payment initiated',
    })
    expect(replay['intent_id']).toBe(data['intent_id'])
    expect(refusal(await shop.card(id))).toEqual([409, 2786])
    const mobile = await shop.pay(id, { phone: '254700000123' })
    expect([mobile.status, mobile.json.description]).toEqual([200, 'Checkout already in progress'])
  })

  test('is 409 2786 while a prompt is in flight', async () => {
    const { id } = await shop.checkout()
    const phone = await given().phones.ke.addPhone('ask')
    const { json } = await shop.pay(id, { phone })
    expect(refusal(await shop.card(id))).toEqual([409, 2786])
    await given().phones.ke.happened('prompt_opened', phone)
    await given().phones.ke.answer(phone, 'approve')
    await shop.untilIntent(String(json.data?.['intent_id']), 'completed')
    expect(refusal(await shop.card(id))).toEqual([409, 2785])
  })

  test('is 422 2771 where card is off: an amount with cents, an account without cards', async () => {
    const { id: cents } = await shop.checkout({ amount: 150_050 })
    expect(refusal(await shop.card(cents))).toEqual([422, 2771])
    const { secretKey } = await given().newAccount('ke')
    const { id: off } = await shop.checkout({ amount: 150_000 }, { key: secretKey })
    expect(refusal(await shop.card(off))).toEqual([422, 2771])
  })

  test('is 403 2776 from another page, 404 2783 for an unknown checkout', async () => {
    const { id } = await shop.checkout()
    const headers = { ...newAddress(), ...newKey(), origin: 'https://evil.example' }
    expect(refusal(await shop.card(id, { headers }))).toEqual([403, 2776])
    expect(refusal(await shop.card(`cs_ke_${'0'.repeat(24)}`))).toEqual([404, 2783])
  })

  test('refuses an unknown field with 400 1701', async () => {
    const { id } = await shop.checkout()
    expect(refusal(await shop.card(id, { body: { number: '5123450000000008' } }))).toEqual([
      400, 1701,
    ])
  })
}
