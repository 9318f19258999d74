import type { ContractStack } from './contract-stack'
import { openShop } from './shop'
import { refusal, send } from './wire'

/** "Authentication" of the interface. */
export function authentication(given: () => ContractStack): void {
  const shop = openShop(given)
  const body = { amount: 150_000 }
  const some = `cs_ke_${'0'.repeat(24)}`

  test('a key is mkp_test_ or mkp_live_ and 52 of A to Z and 2 to 7', async () => {
    const { secretKey } = await given().newAccount('ke')
    expect(secretKey).toMatch(/^mkp_(test|live)_[A-Z2-7]{52}$/)
  })

  test.each([
    ['no header', {}],
    ['another scheme', { authorization: 'Basic bWFsaXBvOg==' }],
    ['an empty bearer', { authorization: 'Bearer ' }],
    ['a malformed key', { authorization: 'Bearer mkp_test_short' }],
    ['an unknown key', { authorization: `Bearer mkp_test_${'A'.repeat(52)}` }],
  ])('refuses %s with 401 2781, on both routes', async (_, headers) => {
    const base = `${given().hosts.ke.baseUrl}/v1/payments/merchant/checkouts`
    expect(refusal(await send(base, { method: 'POST', body, headers }))).toEqual([401, 2781])
    expect(refusal(await send(`${base}/${some}`, { headers }))).toEqual([401, 2781])
  })

  test('refuses the key of an account of the other country with 401 2781', async () => {
    const key = given().demo.ug.secretKey
    expect(refusal(await shop.create(body, { key }))).toEqual([401, 2781])
  })

  test('a new key replaces the first: the new one works at once, an unused old one no more', async () => {
    const account = await given().newAccount('ke')
    const replaced = await account.replaceKey()
    expect(replaced).not.toBe(account.secretKey)
    expect((await shop.create(body, { key: replaced })).status).toBeLessThan(300)
    expect(refusal(await shop.create(body, { key: account.secretKey }))).toEqual([401, 2781])
  })

  test.each([
    '/v1/hub/session',
    '/v1/hub/wallet',
    '/v1/hub/wallet/entries',
    '/v1/hub/checkouts',
    '/v1/hub/keys',
  ])('a key opens nothing at %s', async (path) => {
    const { authUrl } = given().hosts.ke
    const headers = { authorization: `Bearer ${given().demo.ke.secretKey}` }
    const reply = await send(authUrl + path, { headers })
    expect(reply.status).toBe(401)
    expect(reply.json.data).toBeUndefined()
  })
}
