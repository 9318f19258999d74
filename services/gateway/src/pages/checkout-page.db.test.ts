import { ofFile } from '@malipo/testing/lazily'
import { anyPhone, startHost } from '../start.harness'

const host = ofFile(() => startHost())
const merchant = ofFile(() => host.merchant({ displayName: 'Mama <Njeri> Groceries' }))

const checkout = (input: object = {}) => host.checkout(merchant, { amount: 150_000, ...input })
const open = (id: string) => host.ask(`/c/${id}`)
const attemptOf = async (id: string, phone = anyPhone()) => {
  const { intentId } = await host.startPayment(id, phone)
  return { intentId, token: await host.ledger.submit(intentId) }
}
const screenOf = (page: string) => /data-screen="(\w+)"/.exec(page)?.[1]

test('asks for a phone, and shows the payee, the amount and the purpose', async () => {
  const { id, url } = await checkout({ description: 'Maize \u202e& <beans>', phone: '0712345678' })
  expect(url).toBe(`${host.baseUrl}/c/${id}`)
  const { status, text } = await open(id)
  expect([status, screenOf(text)]).toEqual([200, 'start'])
  expect(text).toContain('<title>Pay Mama &lt;Njeri&gt; Groceries: KES\u00a01,500.00</title>')
  expect(text).toContain('Maize &amp; &lt;beans&gt;')
  expect(text).toMatch(new RegExp(`<form[^>]*\\smethod="post"\\s+action="/c/${id}/pay"`))
  expect(text).toMatch(/name="key" value="[0-9a-f]{32}"/)
  expect(text).toMatch(/id="field-phone"[^>]* type="tel"[^>]* value="254712345678"/)
})

test('shows how many minutes are left to pay, and at what time that ends', async () => {
  const { id } = await checkout()
  expect((await open(id)).text).toMatch(/Pay within (?:29|30) minutes \(\d\d:\d\d\)\./)
})

test('does not show the merchant’s reference', async () => {
  const { id } = await checkout({ reference: 'Hidden-7' })
  expect((await open(id)).text).not.toContain('Hidden-7')
})

test('forbids storing, indexing, framing and other scripts', async () => {
  const { id } = await checkout()
  const { headers, text } = await open(id)
  const nonce = /<style nonce="([^"]{20,})"/.exec(text)?.[1] ?? ''
  const policy = headers['content-security-policy'] ?? ''
  expect(policy.split(';').sort()).toEqual([
    "base-uri 'none'",
    "connect-src 'self'",
    "default-src 'none'",
    "form-action 'self' https://cards.example",
    "frame-ancestors 'none'",
    "img-src 'self' data:",
    "require-trusted-types-for 'script'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "trusted-types 'none'",
  ])
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=utf-8',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex',
  })
  expect(text).not.toMatch(/ on\w+=| style=|javascript:|https?:\/\//)
  expect((await open(id)).text).not.toContain(nonce)
})

test('the page is compressed for a client that accepts it', async () => {
  const { id } = await checkout()
  const plain = await open(id)
  const { headers } = await host.ask(`/c/${id}`, { headers: { 'accept-encoding': 'gzip, br' } })
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' })
})

test('shows the waiting screen, reloads itself without JavaScript, and shows three digits of the phone', async () => {
  const { id } = await checkout()
  const { intentId } = await attemptOf(id, '254712345678')
  const { text } = await open(id)
  expect(screenOf(text)).toBe('waiting')
  expect(text).toContain('phone ending in 678')
  expect(text).not.toContain('254712345678')
  expect(text).toContain(`data-intent="${intentId}"`)
  expect(text).toMatch(/<noscript><meta http-equiv="refresh" content="5"/)
})

test('stops waiting after two minutes, and warns against paying twice', async () => {
  const { id } = await checkout()
  await attemptOf(id)
  host.time.aheadMs = 121_000
  const { text } = await open(id)
  host.time.aheadMs = 0
  expect(screenOf(text)).toBe('unconfirmed')
  expect(text).toContain('do not pay again')
  expect(text).not.toMatch(/<form|http-equiv/)
})

test('shows why an intent failed, that no money was taken, and offers the form again', async () => {
  const { id } = await checkout()
  const { token } = await attemptOf(id)
  await host.ledger.decline(token, 'NO_FUNDS')
  const { text } = await open(id)
  expect(screenOf(text)).toBe('failed')
  expect(text).toContain('Not enough money in your M-PESA')
  expect(text).toContain('No money was taken.')
  expect(text).toContain('<form')
})

test('shows the Pay Bill menu first after three failures, and keeps the form available', async () => {
  const kenya = await startHost({ businessNumber: '174379' })
  const { id } = await kenya.checkout(await kenya.merchant(), { amount: 150_000 })
  const menuIsFirst = async () => {
    const { text } = await kenya.ask(`/c/${id}`)
    expect(text).toContain('<form')
    return text.indexOf('data-copy="174379"') < text.indexOf('<form')
  }
  for (const isFirst of [false, false, true]) {
    const { intentId } = await kenya.startPayment(id)
    await kenya.ledger.decline(await kenya.ledger.submit(intentId), 'NO_ANSWER')
    expect(await menuIsFirst()).toBe(isFirst)
  }
  await kenya.stop()
})

test('shows help for a prompt that has not come within 20 seconds, also without a script', async () => {
  const { id } = await checkout()
  await attemptOf(id)
  const helpAfter = async (aheadMs: number) => {
    host.time.aheadMs = aheadMs
    const { text } = await open(id)
    host.time.aheadMs = 0
    return /<details[^>]*data-help[^>]*>/.exec(text)?.[0]
  }
  expect(await helpAfter(10_000)).not.toContain('open')
  expect(await helpAfter(21_000)).toContain('open')
})

test('shows a receipt for the payment, and the link to the shop', async () => {
  const { id } = await checkout({ return_url: 'https://shop.example/thanks?a=1' })
  const { token } = await attemptOf(id)
  await host.ledger.pay(token, 150_000n)
  const { text } = await open(id)
  expect(screenOf(text)).toBe('paid')
  expect(text).toContain('Continue to shop.example')
  expect(text).toContain(
    `href="https://shop.example/thanks?a=1&amp;checkout=${id}&amp;status=completed"`,
  )
  expect(text).not.toMatch(/<form|http-equiv/)
})

test('ignores amounts and names in its own query', async () => {
  const { id } = await checkout()
  const { text } = await open(`${id}?return_url=https://evil.example&status=completed`)
  expect([screenOf(text), text.includes('evil.example')]).toEqual(['start', false])
})

test('shows the language of the address, and remembers it', async () => {
  const { id } = await checkout()
  const { text, headers } = await open(`${id}?lang=sw`)
  expect(text).toContain('<html lang="sw">')
  expect(text).toContain('Lipa KES\u00a01,500.00')
  expect(text).toMatch(new RegExp(`href="/c/${id}\\?lang=sw"[^>]*aria-current`))
  expect(headers['set-cookie']).toEqual([
    expect.stringMatching(/^lang=sw; Max-Age=31536000; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/),
  ])
  const next = await host.ask(`/c/${id}`, { headers: { cookie: 'lang=sw' } })
  expect(next.text).toContain('<html lang="sw">')
  expect(next.headers['set-cookie']).toBeUndefined()
  const other = { 'accept-language': 'lg,en;q=0.5' }
  expect((await host.ask(`/c/${id}`, { headers: other })).text).toContain('<html lang="lg">')
  expect((await open(`${'0'.repeat(9)}?lang=sw`)).text).toContain('Hakuna ukurasa wa malipo')
})

test('marks Luganda as not yet reviewed by a native speaker', async () => {
  const { id } = await checkout()
  expect((await open(`${id}?lang=lg`)).text).toContain('ekyalindirira okukebererwa')
  expect((await open(`${id}?lang=sw`)).text).not.toContain('okukebererwa')
})

test('shows an expired checkout without a form', async () => {
  const { id } = await checkout()
  await host.expire(id)
  const { status, text } = await open(id)
  expect([status, screenOf(text)]).toEqual([200, 'expired'])
  expect(text).toContain('It can no longer be paid.')
  expect(text).not.toContain('<form')
})

test.each(['cs_ke_000000000000000000000000', 'cs_ug_000000000000000000000000', 'nonsense', '%00'])(
  'returns 404 for /c/%s',
  async (id) => {
    const { status, text, headers } = await open(id)
    expect(status).toBe(404)
    expect(text).toContain('There is no such payment page')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  },
)

test('shows no receipt and no link to the shop once the money has gone back', async () => {
  const { id } = await checkout({ return_url: 'https://shop.example/thanks' })
  const { intentId } = await host.startPayment(id)
  const receipt = await host.ledger.pay(await host.ledger.submit(intentId), 150_000n)
  await host.ledger.giveBack(receipt)
  const { text } = await open(id)
  expect(screenOf(text)).toBe('paid')
  expect(text).toContain('The money was sent back')
  expect(text).not.toContain('shop.example')
})

test('keeps the receipt of the first payment when a second one has gone back', async () => {
  const { id } = await checkout()
  const first = await attemptOf(id, anyPhone())
  await host.ledger.decline(first.token, 'CANCELLED')
  const second = await attemptOf(id, anyPhone())
  await host.ledger.pay(first.token, 150_000n)
  await host.ledger.giveBack(await host.ledger.pay(second.token, 150_000n))
  const { text } = await open(id)
  expect(text).toContain('Paid to')
  expect(text).not.toContain('The money was sent back')
})

test('does not say that no money was taken while an earlier intent has no result', async () => {
  const { id } = await checkout()
  await host.ledger.decline((await attemptOf(id, anyPhone())).token, 'UNCONFIRMED')
  await host.ledger.decline((await attemptOf(id, anyPhone())).token, 'CANCELLED')
  const { text } = await open(id)
  expect(text).toContain('The prompt was cancelled')
  expect(text).not.toContain('No money was taken')
  expect(text).toContain('If you approved an earlier payment for this, do not pay again')
  await host.expire(id)
  expect((await open(id)).text).toContain('do not pay again')
})

test('shows money of another amount as received, and does not ask for it again', async () => {
  const { id } = await checkout()
  const { intentId } = await attemptOf(id, anyPhone())
  await host.ledger.reportRow(intentId, 100_000n)
  const { text } = await open(id)
  expect(screenOf(text)).toBe('unconfirmed')
  expect(text).toContain('We have received money')
  expect(text).not.toContain('We have no answer yet')
})

test('asks an address that opens it 601 times a minute to wait', async () => {
  const { id } = await checkout()
  const from = '203.0.113.9'
  // The script's polls count with the page views.
  for (let request = 0; request < 600; request += 50) {
    const asks = Array.from({ length: 50 }, () => host.ask(`/c/${id}/state`, { from }))
    await Promise.all(asks)
  }
  const { status, text, headers } = await host.ask(`/c/${id}`, { from })
  expect([status, headers['retry-after']]).toEqual([429, expect.any(String)])
  expect(text).toContain('Please wait a moment')
  expect(text).toContain('do not pay again')
  expect(text).toContain('You can try again in 1 minute.')
})

test('works while the name of the account cannot be looked up', async () => {
  const { id } = await checkout()
  await host.lose('auth')
  // A recently shown name is still cached.
  expect((await open(id)).text).toContain('Pay Mama')
  const other = await startHost()
  const { id: fresh } = await other.checkout(await other.merchant(), { amount: 150_000 })
  await other.lose('auth')
  const { status, text } = await other.ask(`/c/${fresh}`)
  expect([status, screenOf(text)]).toEqual([200, 'start'])
  expect(text).toContain('Pay the merchant')
  await other.stop()
})

test('shows that the service is down while the ledger is, reloads itself, and offers no payment', async () => {
  const { id } = await checkout()
  await host.lose('ledger')
  const { status, text, headers } = await open(id)
  expect([status, headers['retry-after'], headers['refresh']]).toEqual([503, '1', '5'])
  expect(text).toContain('We cannot show this right now')
  expect(text).toContain(`href="/c/${id}"`)
})
