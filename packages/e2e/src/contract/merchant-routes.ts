import type { ContractStack } from './contract-stack'
import { openShop } from './shop'
import { instant, refusal } from './wire'

/** "Merchant API", "Checkout object (merchant view)", "Request limits" and "Amounts" of the interface. */
export function merchantRoutes(given: () => ContractStack): void {
  const shop = openShop(given)

  test.each([
    ['ke', 'KES'],
    ['ug', 'UGX'],
  ] as const)(
    '%s: creates a checkout with exactly the fields of the merchant view',
    async (country, currency) => {
      const before = Date.now()
      const { id, url, ...rest } = await shop.checkout({ amount: 150_000 }, { country })
      expect(id).toMatch(new RegExp(`^cs_${country}_[0-9a-f]{24}$`))
      expect(new URL(url).origin).toBe(new URL(given().hosts[country].baseUrl).origin)
      expect(rest).toEqual({
        status: 'open',
        amount: '150000',
        currency,
        reference: null,
        description: null,
        return_url: null,
        expires_at: instant,
        created_at: instant,
        payment: null,
      })
      const [created, expires] = [rest['created_at'], rest['expires_at']].map((at) =>
        Date.parse(String(at)),
      )
      expect((expires ?? 0) - (created ?? 0)).toBe(30 * 60_000)
      expect(Math.abs((created ?? 0) - before)).toBeLessThan(30_000)
    },
  )

  test('keeps what the merchant gave, and shows neither the phone nor Pay Bill numbers', async () => {
    const given = {
      amount: 12_345,
      reference: 'order-7',
      description: 'Two bags of coffee',
      return_url: 'https://shop.example/thanks?lang=en',
    }
    const { id } = await shop.checkout({ ...given, phone: '254700000123' })
    const view = await shop.view(id)
    expect(view).toMatchObject({ ...given, amount: '12345', id, payment: null })
    expect(Object.keys(view)).toHaveLength(11)
    expect(JSON.stringify(view)).not.toMatch(/254700000123|paybill|account_number/)
  })
}

/** "Request limits" of the interface: what a create takes, and what it refuses. */
export function requestLimits(given: () => ContractStack): void {
  const shop = openShop(given)
  const https = (length: number) => `https://shop.example/${'r'.repeat(length - 21)}`

  test.each([
    ['the shortest', { amount: 100, reference: 'r', description: 'd', phone: '2'.repeat(9) }],
    [
      'the longest',
      {
        amount: 15_000_000,
        reference: 'r'.repeat(64),
        description: 'd'.repeat(140),
        return_url: https(2_048),
        phone: '2'.repeat(15),
      },
    ],
  ])('takes %s values that the limits allow', async (_, body) => {
    expect(
      (
        await shop.create(body, {
          headers: { 'idempotency-key': _.charAt(4).repeat(128) },
        })
      ).status,
    ).toBeLessThan(300)
  })

  test.each([
    ['no amount', {}],
    ['an amount of 0', { amount: 0 }],
    ['a negative amount', { amount: -100 }],
    ['a fraction', { amount: 100.5 }],
    ['an amount as text', { amount: '150000' }],
    ['an unknown field', { amount: 150_000, currency: 'KES' }],
    ['an empty reference', { amount: 150_000, reference: '' }],
    ['a reference of 65', { amount: 150_000, reference: 'r'.repeat(65) }],
    ['an empty description', { amount: 150_000, description: '' }],
    ['a description of 141', { amount: 150_000, description: 'd'.repeat(141) }],
    ['a return_url of http', { amount: 150_000, return_url: 'http://shop.example/' }],
    ['a return_url of 2049', { amount: 150_000, return_url: https(2_049) }],
    ['a phone of 8 digits', { amount: 150_000, phone: '2'.repeat(8) }],
    ['a phone of 16 digits', { amount: 150_000, phone: '2'.repeat(16) }],
    ['a phone with a plus', { amount: 150_000, phone: '+254700000123' }],
    ['a list', []],
  ])('refuses %s with 400 1701, with a good key and without one alike', async (_, body) => {
    expect(refusal(await shop.create(body))).toEqual([400, 1701])
    expect(refusal(await shop.create(body, { key: 'none' }))).toEqual([400, 1701])
  })

  test.each([
    ['broken JSON', { raw: '{"amount":' }],
    ['no body', { raw: '' }],
    ['an Idempotency-Key of 129', { headers: { 'idempotency-key': 'k'.repeat(129) } }],
    ['an empty Idempotency-Key', { headers: { 'idempotency-key': '' } }],
  ])('refuses %s with 400 1701 before the key check', async (_, request) => {
    const body = { amount: 150_000 }
    expect(refusal(await shop.create(body, { key: 'none', ...request }))).toEqual([400, 1701])
  })
}

/** "Amounts" of the interface. */
export function amountLimits(given: () => ContractStack): void {
  const shop = openShop(given)

  test.each([
    ['ke', 99],
    ['ke', 15_000_001],
    ['ug', 99],
    ['ug', 150],
    ['ug', 500_000_100],
  ] as const)('%s: refuses the amount %d with 422 2702', async (country, amount) => {
    expect(refusal(await shop.create({ amount }, { country }))).toEqual([422, 2702])
  })

  test.each([
    ['ke', 100],
    ['ke', 12_345],
    ['ke', 15_000_000],
    ['ug', 100],
    ['ug', 500_000_000],
  ] as const)('%s: takes the amount %d', async (country, amount) => {
    const { amount: kept } = await shop.checkout({ amount }, { country })
    expect(kept).toBe(String(amount))
  })
}

/** Ids of another shape, and checkouts that are not this key's. */
export function foreignCheckouts(given: () => ContractStack): void {
  const shop = openShop(given)

  test.each([
    'cs_ke_0123',
    `cs_tz_${'0'.repeat(24)}`,
    `cs_ke_${'g'.repeat(24)}`,
    `cs_ke_${'0'.repeat(25)}`,
    'pi_1',
  ])('refuses the id %s with 400 1701 before any lookup', async (id) => {
    expect(refusal(await shop.retrieve(id, { key: 'none' }))).toEqual([400, 1701])
  })

  test("answers another account's checkout, the other country's and an unknown id alike, with 404 2783", async () => {
    const { secretKey } = await given().newAccount('ke')
    const { id: foreign } = await shop.checkout()
    const { id: abroad } = await shop.checkout({ amount: 150_000 }, { country: 'ug' })
    const replies = await Promise.all(
      [foreign, abroad, `cs_ke_${'0'.repeat(24)}`].map((id) =>
        shop.retrieve(id, { key: secretKey }),
      ),
    )
    expect(replies.map(refusal)).toEqual([1, 2, 3].map(() => [404, 2783]))
    const [first, ...others] = replies.map(({ json }) => ({ ...json, request_id: undefined }))
    for (const other of others) expect(other).toEqual(first)
  })
}
