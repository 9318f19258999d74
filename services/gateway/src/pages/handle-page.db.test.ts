import type { Merchant } from '../merchants.harness'
import { anyPhone, type RunningHost, startHost } from '../start.harness'

let host: RunningHost
let merchant: Merchant
let page: string

beforeAll(async () => {
  host = await startHost({
    businessNumber: '600100',
    paymentsUrls: { ke: undefined, ug: 'https://pay.ug.example' },
  })
  merchant = await host.merchant()
  page = `/p/${merchant.username}`
})
afterAll(() => host.stop())

/** Sends the page's form as a browser without JavaScript does, with the payer's input. */
async function fill(path: string, written: Record<string, string>) {
  const { text } = await host.ask(path)
  const key = /name="key" value="([0-9a-f]{32})"/.exec(text)?.[1] ?? ''
  return new URLSearchParams({ key, amount: '', phone: anyPhone(), rail: '', ...written })
}

async function submit(form: URLSearchParams, path = page, headers: Record<string, string> = {}) {
  return host.ask(`${path}/pay`, {
    method: 'POST',
    body: form.toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
  })
}

/** Sends a prompt by the form; returns the path of the page that it redirects to. */
async function pay(written: Record<string, string> = { amount: '1,500' }): Promise<string> {
  const reply = await submit(await fill(page, written))
  expect(reply.status).toBe(303)
  return reply.headers['location'] ?? ''
}

const intentOf = (path: string) => path.split('/').at(-1) ?? ''

test('asks for the amount and the phone, and shows the Pay Bill menu', async () => {
  const { status, text, headers } = await host.ask(page)
  expect(status).toBe(200)
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(text).toContain('Pay Mama Njeri Groceries')
  expect(text).toMatch(/<input\s+id="field-amount"\s+name="amount"[^>]*inputmode="decimal"/)
  expect(text).toContain('Amount in KES')
  expect(text).toContain('600100')
  expect(text).toContain(`<b>${merchant.username}</b>`)
  expect(text).toContain(`${page}/qr.svg`)
})

test('shows the purpose of a link, and fills in the suggested amount', async () => {
  const { handle } = await host.link(merchant, { title: 'School fees', amountMinor: 250_050n })
  const { text } = await host.ask(`/p/${handle}`)
  expect(text).toContain('School fees')
  expect(text).toContain('value="2500.50"')
  const reply = await submit(await fill(`/p/${handle}`, { amount: '10' }), `/p/${handle}`)
  const { body } = await host.ask(
    `/v1/payments/public/intents/${intentOf(reply.headers['location'] ?? '')}`,
  )
  expect(body.data.status).toBe('reserved')
})

test('redirects the form to the page of its intent, which shows the state until it is paid', async () => {
  const path = await pay()
  expect(path).toMatch(new RegExp(`^${page}/pi_[0-9a-f]{24}$`))
  const waiting = await host.ask(path)
  expect(waiting.text).toContain('data-screen="waiting"')
  expect(waiting.text).toContain('KES\u00a01,500.00')
  expect(waiting.text).toContain('http-equiv="refresh"')
  expect((await host.ask(`${path}/state`)).body.data).toMatchObject({
    status: 'open',
    screen: 'waiting',
  })

  await host.ledger.pay(await host.ledger.submit(intentOf(path)), 150_000n)
  const paid = await host.ask(path)
  expect(paid.text).toContain('data-screen="paid"')
  expect(paid.text).toContain('Mama Njeri Groceries')
  expect((await host.ask(`${path}/state`)).body.data).toMatchObject({
    status: 'completed',
    screen: 'paid',
  })
})

test('shows why an intent failed, and offers the form again with its amount', async () => {
  const path = await pay({ amount: '700.50' })
  await host.ledger.decline(await host.ledger.submit(intentOf(path)), 'NO_FUNDS')
  const { text } = await host.ask(path)
  expect(text).toContain('data-screen="failed"')
  expect(text).toContain('No money was taken.')
  expect(text).toContain(`action="${page}/pay"`)
  expect(text).toContain('value="700.50"')
})

test('shows the menu first and folds the form after three failed prompts', async () => {
  const phone = anyPhone()
  const failed = async (written: Record<string, string>) => {
    const path = await pay(written)
    await host.ledger.decline(await host.ledger.submit(intentOf(path)), 'NO_ANSWER')
    return host.ask(path)
  }
  await failed({ amount: '700.50' })
  for (let time = 1; time < 3; time += 1) {
    expect((await failed({ amount: '700.50', phone })).text).not.toContain(
      'Pay with Pay Bill instead',
    )
  }
  const { text } = await failed({ amount: '700.50', phone })
  expect(text).toContain('Pay with Pay Bill instead')
  for (const typed of ['600100', merchant.username, '700.50']) {
    expect(text).toContain(`data-copy="${typed}"`)
  }
  // Money from the menu is another payment, and this page never shows it.
  expect(text).not.toMatch(/<div[^>]* data-menu/)
  expect(text).toContain('M-PESA confirms the payment in a message to you.')
})

test('makes one prompt of the same form sent twice', async () => {
  const form = await fill(page, { amount: '20' })
  const replies = await Promise.all(Array.from({ length: 5 }, () => submit(form)))
  expect(new Set(replies.map(({ headers }) => headers['location'])).size).toBe(1)
})

test.each([
  ['less than the least', { amount: '0.99' }, 'Enter an amount from KES'],
  ['more than the most', { amount: '150,000.01' }, 'Enter an amount from KES'],
  ['no amount', { amount: '' }, 'Enter an amount from KES'],
  ['an amount that reads in two ways', { amount: '1.500' }, 'Enter an amount from KES'],
  ['no phone', { amount: '20', phone: '12' }, 'does not look like a mobile number'],
])('shows %s beside the field, and keeps the other input', async (_, written, error) => {
  const reply = await submit(await fill(page, written))
  expect(reply.status).toBe(400)
  expect(reply.text).toContain(error)
  expect(reply.text).toContain('aria-invalid="true"')
  expect(reply.text).toContain(`value="${written.amount}"`)
})

test('takes no try for a refused amount or phone, and refuses a landline at once', async () => {
  const from = { 'x-forwarded-for': '203.0.113.50' }
  for (const written of [
    { amount: '0.50' },
    { amount: '20', phone: '12' },
    { amount: '20', phone: '020 234 5678' },
  ]) {
    const reply = await submit(await fill(page, written), page, from)
    expect([reply.status, reply.headers['ratelimit']]).toEqual([
      400,
      expect.not.stringMatching('pay'),
    ])
    if (written.phone?.startsWith('020')) expect(reply.text).toContain('This is a landline.')
  }
  const first = await submit(await fill(page, { amount: '20' }), page, from)
  expect([first.status, first.headers['ratelimit']]).toEqual([
    303,
    expect.stringMatching('"pay";r=29'),
  ])
})

test.each([
  ['the page without the script', {}],
  ['the answer for the script', { accept: 'application/json' }],
])(
  'over the limit of an address, %s says not to pay again: the key may have begun a prompt',
  async (_, headers) => {
    const from = { 'x-forwarded-for': `203.0.113.${'accept' in headers ? '60' : '61'}` }
    const form = await fill(page, { amount: '20' })
    for (let request = 0; request < 30; request += 1) await submit(form, page, from)
    const { status, text } = await submit(form, page, { ...from, ...headers })
    expect(status).toBe(429)
    expect(text).toContain('If you entered your PIN, do not pay again.')
    expect(text).toContain('You can try again in 60 minutes.')
  },
)

test("escapes the payer's input where it is shown again", async () => {
  const reply = await submit(await fill(page, { amount: '"><script>alert(1)</script>' }))
  expect(reply.text).not.toContain('<script>alert')
})

test('refuses a form from another site', async () => {
  const reply = await submit(await fill(page, { amount: '20' }), page, {
    'sec-fetch-site': 'cross-site',
  })
  expect(reply.status).toBe(403)
})

test('names the country of an account in another country, and links to its host where configured', async () => {
  const { username } = await host.foreigner('ug')
  const { status, text } = await host.ask(`/p/${username}`)
  expect(status).toBe(200)
  expect(text).toContain('This is paid in Uganda')
  expect(text).toContain(`href="https://pay.ug.example/p/${username}"`)
  expect(text).not.toContain('<form')
  const form = new URLSearchParams({ key: '0'.repeat(32), amount: '20', phone: anyPhone() })
  const reply = await submit(form, `/p/${username}`)
  expect([reply.status, reply.headers['location']]).toEqual([303, `/p/${username}`])
})

test('shows no form for an owner who takes no payments', async () => {
  const { username } = await host.foreigner('ke')
  const { text } = await host.ask(`/p/${username}`)
  expect(text).toContain('This cannot be paid right now')
  expect(text).not.toContain('<form')
})

test.each(['/p/unclaimed', '/p/a%2Fb', `/p/${'a'.repeat(65)}`])(
  'returns 404 for %s',
  async (path) => {
    const { status, text } = await host.ask(path)
    expect([status, text]).toEqual([404, expect.any(String)])
    expect(text).toContain('There is no such payment page')
  },
)

test('shows an intent under its own handle only, and never one of a checkout', async () => {
  const path = await pay()
  const other = await host.merchant()
  expect((await host.ask(`/p/${other.username}/${intentOf(path)}`)).status).toBe(404)
  expect((await host.ask(path.toLowerCase().replace('/p/', '/p/'))).status).toBe(200)
  const { id } = await host.checkout(merchant, { amount: 50_000 })
  const { intentId } = await host.startPayment(id)
  expect((await host.ask(`${page}/${intentId}`)).status).toBe(404)
  expect((await host.ask(`${page}/${intentId}/state`)).status).toBe(404)
})

test('still shows a paid intent of a link that is closed', async () => {
  const link = await host.link(merchant)
  const reply = await submit(await fill(`/p/${link.handle}`, { amount: '20' }), `/p/${link.handle}`)
  await link.close()
  expect((await host.ask(`/p/${link.handle}`)).status).toBe(404)
  expect((await host.ask(reply.headers['location'] ?? '')).status).toBe(200)
})

test("redirects a GET of the form's target to the page", async () => {
  const { status, headers } = await host.ask(`${page}/pay`)
  expect([status, headers['location']]).toEqual([303, page])
})

test('shows no amount on the button of a form whose amount can be changed', async () => {
  const path = await pay({ amount: '700' })
  await host.ledger.decline(await host.ledger.submit(intentOf(path)), 'UNCONFIRMED')
  const { text } = await host.ask(path)
  expect(text).toContain('data-screen="unconfirmed"')
  expect(text).not.toMatch(/<button[^>]*>\s*Pay KES/)
})

test('shows the languages of the checkout page', async () => {
  expect((await host.ask(`${page}?lang=sw`)).text).toContain('Kiasi kwa KES')
  expect((await host.ask(`${page}?lang=lg`)).text).toContain('Omuwendo mu KES')
})

test('has a QR code for the camera of a phone', async () => {
  const { status, headers } = await host.ask(`${page}/qr.svg`)
  expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml'])
})

/** The addresses that a page leads to, in their order: its languages, and the way on. */
const linksOf = (text: string) => [...text.matchAll(/href="(\/[^"]*)"/g)].map(([, href]) => href)
const linksTo = (path: string) => [
  ...['en', 'sw', 'lg'].map((lang) => `${path}?lang=${lang}`),
  path,
]

test('leads back to the payment, and to no new form, after 600 page views of its address', async () => {
  const path = await pay()
  const look = () => host.ask(path, { from: '203.0.113.62' })
  for (let tens = 0; tens < 60; tens += 1) await Promise.all(Array.from({ length: 10 }, look))
  const { status, text } = await look()
  expect([status, linksOf(text)]).toEqual([429, linksTo(path)])
})

test('reports the service as unavailable, not the page as unknown, without ledger or auth', async () => {
  const path = await pay()
  await host.lose('ledger')
  for (const shown of [page, path]) {
    const { status, text } = await host.ask(shown)
    expect(status).toBe(503)
    expect(text).toContain('We cannot show this right now')
    expect(linksOf(text)).toEqual(linksTo(shown))
  }
  await host.lose('auth')
  expect((await host.ask(page)).status).toBe(503)
})
