import type { ContractStack } from './contract-stack'
import { openShop } from './shop'
import { dataOf, instant, newAddress, refusal, send } from './wire'

/** "Checkout object (payer view)" of the interface. */
export function payerReads(given: () => ContractStack): void {
  const shop = openShop(given)
  test('ke: the payer view has exactly its fields, with Pay Bill numbers and a card', async () => {
    const { id } = await shop.checkout({
      amount: 150_000,
      reference: 'order-7',
      description: 'Two bags of coffee',
      return_url: 'https://shop.example/thanks',
      phone: '254700000123',
    })
    const data = dataOf(await shop.read(id), { status: 200, description: 'Checkout' })
    expect(data).toEqual({
      checkout: {
        id,
        status: 'open',
        amount: '150000',
        currency: 'KES',
        description: 'Two bags of coffee',
        phone: '254700000123',
        intent_id: null,
        return_url: 'https://shop.example/thanks',
        redirect_url: null,
        paybill: {
          business_number: expect.stringMatching(/^\d+$/) as string,
          account_number: expect.stringMatching(/^CS\d{8}$/) as string,
        },
        card: {
          fee: expect.stringMatching(/^\d+00$/) as string,
          total: expect.stringMatching(/^\d+00$/) as string,
        },
        expires_at: instant,
      },
      payee: { paybill: null, amount: '150000' },
    })
    const { fee, total } = (data['checkout'] as { card: { fee: string; total: string } }).card
    expect(BigInt(total)).toBe(150_000n + BigInt(fee))
  })

  test('ug: the payer view has no Pay Bill numbers; what was not given is null', async () => {
    const { id } = await shop.checkout({ amount: 150_000 }, { country: 'ug' })
    const { checkout, payee } = dataOf(await shop.read(id, 'ug'), {
      status: 200,
      description: 'Checkout',
    })
    expect(checkout).toMatchObject({
      ...{ paybill: null, currency: 'UGX', description: null, phone: null, return_url: null },
    })
    expect(payee).toEqual({ paybill: null, amount: '150000' })
  })

  test('card is null for an amount that is no multiple of 100', async () => {
    const { id } = await shop.checkout({ amount: 150_050 })
    const { checkout } = dataOf(await shop.read(id), { status: 200, description: 'Checkout' })
    expect(checkout).toMatchObject({ amount: '150050', card: null })
  })

  test('an unknown checkout, and one of the other host, is 404 2783', async () => {
    const { id } = await shop.checkout({ amount: 150_000 }, { country: 'ug' })
    expect(refusal(await shop.read(`cs_ke_${'0'.repeat(24)}`))).toEqual([404, 2783])
    expect(refusal(await shop.read(id, 'ke'))).toEqual([404, 2783])
  })

  test('an unknown intent is 404 2706', async () => {
    expect(refusal(await shop.intent(`pi_${'0'.repeat(24)}`))).toEqual([404, 2706])
  })
}

/** "Handle resolution record" of the interface. */
const records = {
  ke: { home_country: 'KE', currency: 'KES', rail: 'mpesa', max: '15000000' },
  ug: { home_country: 'UG', currency: 'UGX', rail: 'mtn_momo', max: '500000000' },
} as const

export function handleRecords(given: () => ContractStack): void {
  test.each(['ke', 'ug'] as const)(
    '%s: a username resolves to exactly its record',
    async (country) => {
      const { baseUrl } = given().hosts[country]
      const { username } = given().demo[country]
      const url = `${baseUrl}/v1/payments/public/handles/${username}`
      const reply = await send(url, { headers: newAddress() })
      expect(dataOf(reply, { status: 200, description: 'Handle resolved' })).toEqual({
        ...{ name: username, username, title: null, amount: null },
        display_name: expect.any(String) as string,
        profile_image_url: null,
        served_here: true,
        ...records[country],
        min: '100',
        paybill: country === 'ke' ? (expect.stringMatching(/^\d+$/) as string) : null,
        accepting: true,
      })
    },
  )
}

/** Links, the other host, names that resolve to nothing, and "A profile" of the interface. */
export function handleReads(given: () => ContractStack): void {
  const resolve = (country: 'ke' | 'ug', handle: string) =>
    send(`${given().hosts[country].baseUrl}/v1/payments/public/handles/${handle}`, {
      headers: newAddress(),
    })
  const profile = (handle: string) =>
    send(`${given().hosts.ke.authUrl}/v1/auth/public/profile/${handle}`, { headers: newAddress() })

  test('a link resolves to its title and suggested amount, an open link to neither', async () => {
    const { username } = given().demo.ke
    const link = await given().newLink({ title: 'School fees', amount: '250000' })
    expect(
      dataOf(await resolve('ke', link), { status: 200, description: 'Handle resolved' }),
    ).toMatchObject({
      ...{ name: link, username, title: 'School fees', amount: '250000' },
    })
    const open = await given().newLink()
    expect(
      dataOf(await resolve('ke', open), { status: 200, description: 'Handle resolved' }),
    ).toMatchObject({
      ...{ name: open, username, title: null, amount: null },
    })
  })

  test('the other host points home: not served here, no money fields, not accepting', async () => {
    const { username } = given().demo.ug
    expect(
      dataOf(await resolve('ke', username), { status: 200, description: 'Handle resolved' }),
    ).toMatchObject({
      ...{ username, home_country: 'UG', served_here: false, accepting: false },
      ...{ amount: null, currency: null, rail: null, min: null, max: null, paybill: null },
    })
  })

  test('an unknown handle is 404 2710, one that no handle can be 400 1701', async () => {
    expect(refusal(await resolve('ke', 'no-such-shop-here'))).toEqual([404, 2710])
    expect(refusal(await resolve('ke', 'h'.repeat(65)))).toEqual([400, 1701])
    expect(refusal(await resolve('ke', 'a%20b'))).toEqual([400, 1701])
  })

  test('a profile has bio, theme, cover and social links; an unknown handle is 404', async () => {
    const reply = await profile(given().demo.ke.username)
    expect(reply.status).toBe(200)
    expect(Object.keys(reply.json.data ?? {})).toEqual(
      expect.arrayContaining(['bio', 'theme', 'cover_image_url', 'social_links']),
    )
    expect((await profile('no-such-shop-here')).status).toBe(404)
  })
}
