import { ofFile } from '@malipo/testing/lazily'
import type { FailureCause } from '@malipo/contracts/proto/ledger/v1/ledger_service'
import { randomBytes } from 'node:crypto'
import type { Reply, Sent } from '../send.harness'
import { anyPhone, type RunningHost, startHost } from '../start.harness'

const host = ofFile(() => startHost({}, undefined, { MPESA_WHOLE_SHILLINGS: 'true' }))
const merchant = ofFile(() => host.merchant())

const checkout = async () => (await host.checkout(merchant, { amount: 150_000 })).id
const anyKey = () => randomBytes(16).toString('hex')
const press = (id: string, fields: Record<string, string>, sent: Sent = {}): Promise<Reply> =>
  host.ask(`/c/${id}/pay`, {
    body: new URLSearchParams(fields).toString(),
    ...sent,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...sent.headers },
  })
const attemptsOf = (id: string) =>
  host.rows(`SELECT id, phone FROM intents WHERE checkout_id = '${id}'`)

test('sends a prompt from a form without JavaScript, and redirects to the page', async () => {
  const id = await checkout()
  const reply = await press(id, { key: anyKey(), phone: '+254 712-345 678' })
  expect([reply.status, reply.headers['location']]).toEqual([303, `/c/${id}`])
  expect(await attemptsOf(id)).toMatchObject([{ phone: '254712345678' }])
  expect((await host.ask(`/c/${id}`)).text).toContain('data-screen="waiting"')
})

test('sends no second prompt for the same form sent again, also after the first has failed', async () => {
  const id = await checkout()
  const form = { key: anyKey(), phone: anyPhone() }
  await press(id, form)
  const [attempt] = (await attemptsOf(id)) as { id: string }[]
  await host.ledger.decline(await host.ledger.submit(attempt?.id ?? ''), 'CANCELLED')
  expect((await press(id, form)).status).toBe(303)
  expect(await attemptsOf(id)).toHaveLength(1)
})

test('shows the open prompt after a second press', async () => {
  const id = await checkout()
  await press(id, { key: anyKey(), phone: '0712 345 678' })
  expect((await press(id, { key: anyKey(), phone: '0799 999 999' })).status).toBe(303)
  expect((await host.ask(`/c/${id}`)).text).toContain('phone ending in 678')
  expect(await attemptsOf(id)).toHaveLength(1)
})

test('asks again for an invalid phone, with the input kept', async () => {
  const id = await checkout()
  const { status, text } = await press(id, { key: anyKey(), phone: '0712 "345' })
  expect(status).toBe(400)
  expect(text).toContain('This does not look like a mobile number')
  expect(text).toContain('value="0712 &quot;345"')
  expect(await attemptsOf(id)).toEqual([])
})

test.each(['paid', 'expired'])(
  'a checkout that is %s leads back to the page, which says so',
  async (state) => {
    const id = await checkout()
    if (state === 'expired') {
      await host.expire(id)
    } else {
      const { intentId } = await host.startPayment(id)
      await host.ledger.pay(await host.ledger.submit(intentId), 150_000n)
    }
    const reply = await press(id, { key: anyKey(), phone: anyPhone() })
    expect([reply.status, reply.headers['location']]).toEqual([303, `/c/${id}`])
    expect((await host.ask(`/c/${id}`)).text).toContain(`data-screen="${state}"`)
  },
)

test('shows that a sixth prompt to a phone within the hour would come after the page has expired', async () => {
  const phone = anyPhone()
  for (let prompt = 0; prompt < 5; prompt += 1) {
    expect((await press(await checkout(), { key: anyKey(), phone })).status).toBe(303)
  }
  const { status, text } = await press(await checkout(), { key: anyKey(), phone })
  expect(status).toBe(429)
  expect(text).toContain('Too many tries')
  expect(text).toContain('This page expires before that.')
  expect(text).not.toMatch(/data-copy="\d/)
})

test('shows the Pay Bill menu to an address over its request limit, but not where a prompt may take money', async () => {
  const kenya = await startHost({ businessNumber: '174379' })
  const kenyan = await kenya.merchant()
  const order = async () => (await kenya.checkout(kenyan, { amount: 150_000 })).id
  const [prompted, unconfirmed, id] = [await order(), await order(), await order()]
  const sent = {
    body: `key=${anyKey()}&phone=0712345678`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    from: '203.0.113.30',
  }
  for (let request = 0; request < 30; request += 1) await kenya.ask(`/c/${prompted}/pay`, sent)
  const again = await kenya.ask(`/c/${prompted}/pay`, sent)
  expect([again.status, again.headers['location']]).toEqual([303, `/c/${prompted}`])
  const { intentId } = await kenya.startPayment(unconfirmed)
  await kenya.ledger.decline(await kenya.ledger.submit(intentId), 'UNCONFIRMED')
  const unsure = await kenya.ask(`/c/${unconfirmed}/pay`, sent)
  expect([unsure.status, unsure.text.includes('data-copy="')]).toEqual([429, false])
  const { status, text } = await kenya.ask(`/c/${id}/pay`, sent)
  expect(status).toBe(429)
  expect(text).toContain('data-copy="174379"')
  expect(text).toMatch(/data-copy="CS\d{8}"/)
  expect(text).toContain('data-copy="1500"')
  const inScript = { ...sent, headers: { ...sent.headers, accept: 'application/json' } }
  expect((await kenya.ask(`/c/${id}/pay`, inScript)).body).toMatchObject({ menu: true })
  expect((await kenya.ask(`/c/${unconfirmed}/pay`, inScript)).body.menu).toBeUndefined()
  const declined = await kenya.startPayment(unconfirmed)
  await kenya.ledger.decline(await kenya.ledger.submit(declined.intentId), 'CANCELLED')
  expect((await kenya.ask(`/c/${unconfirmed}/pay`, inScript)).body.menu).toBeUndefined()
  // The ledger is not asked for the checkout before a refusal that does not depend on it.
  await kenya.lose('ledger')
  expect((await kenya.ask(`/c/${id}/pay`, sent)).text).toContain('You can try again in 60 minutes.')
  await kenya.stop()
})

test.each(['pay', 'card'])(
  'a browser that opens GET /%s again is led to the page',
  async (form) => {
    const id = await checkout()
    const { status, headers } = await host.ask(`/c/${id}/${form}`)
    expect([status, headers['location']]).toEqual([303, `/c/${id}`])
  },
)

test.each<[string, Sent['headers'], number]>([
  ['of the page itself', { 'sec-fetch-site': 'same-origin', origin: 'null' }, 303],
  ['of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 403],
  ['of a sibling site', { 'sec-fetch-site': 'same-site', origin: 'https://shop.pay.example' }, 403],
  ['of an older browser, from the page', { origin: 'https://pay.example' }, 303],
  ['of an older browser, from a page without referrer', { origin: 'null' }, 303],
  ['of an older browser, from another site', { origin: 'https://evil.example' }, 403],
])('accepts a form %s', async (_, headers, status) => {
  const reply = await press(
    await checkout(),
    { key: anyKey(), phone: anyPhone() },
    { headers: headers ?? {} },
  )
  expect(reply.status).toBe(status)
})

test.each<[string, Record<string, string>, Sent]>([
  ['without a key', { phone: '0712345678' }, {}],
  ['with a key of another shape', { phone: '0712345678', key: 'short' }, {}],
  [
    'as JSON',
    { phone: '0712345678', key: '0'.repeat(32) },
    { headers: { 'content-type': 'application/json' } },
  ],
  ['of 3 KB', { phone: '0'.repeat(3_000), key: '0'.repeat(32) }, {}],
])('refuses a form %s, and sends nothing', async (_, fields, sent) => {
  const id = await checkout()
  const { status, text } = await press(id, fields, sent)
  expect(status).toBe(400)
  expect(text).toContain('Nothing was sent to your phone')
  expect(await attemptsOf(id)).toEqual([])
})

test('rounds cents up where M-PESA takes none: the page shows the amount and why, and the prompt asks for it', async () => {
  const { id } = await host.checkout(merchant, { amount: 150_050 })
  const start = (await host.ask(`/c/${id}`)).text
  expect(start).toContain(
    'The price is KES\u00a01,500.50. M-PESA takes whole shillings only, so you are asked for KES\u00a01,501.00.',
  )
  expect(start).toContain('Pay KES\u00a01,501.00')
  expect((await press(id, { key: anyKey(), phone: anyPhone() })).status).toBe(303)
  const waiting = (await host.ask(`/c/${id}`)).text
  expect(waiting).toContain('Check that it asks for KES\u00a01,501.00')
  const [attempt] = (await attemptsOf(id)) as { id: string }[]
  const token = await host.ledger.submit(attempt?.id ?? '')
  await host.ledger.pay(token, 150_100n)
  const paid = (await host.ask(`/c/${id}`)).text
  expect(paid).toMatch(/Amount<\/dt>\s*<dd>KES\u00a01,501\.00/)
  expect(paid).toMatch(/Price<\/dt>\s*<dd>KES\u00a01,500\.50/)
})

test("returns the checkout's own amount by the API, whatever the phone is asked for", async () => {
  const { id } = await host.checkout(merchant, { amount: 150_050 })
  const { body } = await host.ask(`/v1/payments/public/checkouts/${id}`)
  expect(body.data).toMatchObject({
    checkout: { amount: '150050' },
    payee: { amount: '150050' },
  })
  const paid = await host.ask(`/v1/payments/public/checkouts/${id}/pay`, {
    method: 'POST',
    body: JSON.stringify({ phone: anyPhone() }),
    headers: { 'idempotency-key': anyKey(), 'content-type': 'application/json' },
  })
  expect([paid.status, paid.body.data.amount]).toEqual([202, '150050'])
})

test('shows the rounded amount for cents typed on a handle page before anything is sent', async () => {
  const press_ = (amount: string) =>
    host.ask(`/p/${merchant.username}/pay`, {
      body: `key=${anyKey()}&phone=${anyPhone()}&amount=${amount}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const shown = await press_('20.50')
  expect([shown.status, shown.text]).toEqual([
    400,
    expect.stringContaining('KES\u00a020.50 is rounded up to KES\u00a021.00'),
  ])
  expect(shown.text).toContain('value="21"')
  const { headers, status } = await press_('21')
  expect(status).toBe(303)
  expect((await host.ask(headers['location'] ?? '')).text).toContain('asks for KES\u00a021.00')
})

test('shows the rounded amount of a link, and why, before the payer types anything', async () => {
  const { handle } = await host.link(merchant, { title: 'School fees', amountMinor: 250_050n })
  const { text } = await host.ask(`/p/${handle}`)
  expect(text).toContain('value="2501"')
  expect(text).toContain('The price is KES\u00a02,500.50')
})

test('shows that a rail is not available when it is off', async () => {
  const ug = await startHost({ country: 'ug' }, [])
  const { id } = await ug.checkout(await ug.merchant(), { amount: 150_000 })
  expect((await ug.ask(`/c/${id}`)).text).toContain('Mobile money phone number')
  const reply = await ug.ask(`/c/${id}/pay`, {
    body: `key=${anyKey()}&phone=0772123456`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(reply.text).toContain('This cannot be paid by phone yet')
  await ug.stop()
})

describe('where a country has more than one rail', () => {
  let ug: RunningHost
  beforeAll(async () => {
    ug = await startHost({ country: 'ug' })
  })
  afterAll(() => ug.stop())

  const toldOf = async (cause: keyof typeof FailureCause, phone: string) => {
    const { id } = await ug.checkout(await ug.merchant(), { amount: 150_000 })
    const fields = { key: anyKey(), phone }
    await ug.ask(`/c/${id}/pay`, {
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const [intentId = ''] = await ug
      .rows(`SELECT id FROM intents WHERE checkout_id = '${id}'`)
      .then((rows) => rows.map((row) => ('id' in row ? String(row.id) : '')))
    await ug.ledger.refuse(intentId, cause)
    const texts = ['en', 'sw', 'lg'].map(
      async (lang) => (await ug.ask(`/c/${id}?lang=${lang}`)).text,
    )
    return (await Promise.all(texts)).map((text) => /<h1[^>]*>(.*?)<\/section>/s.exec(text)?.[1])
  }

  test('shows no single cause for MTN’s catch-all code, and suggests checking balance and PIN', async () => {
    const [en, sw, lg] = await toldOf('NO_FUNDS', '0772 123461')
    expect(en).toContain('MTN MoMo did not take the payment')
    expect(en).toContain('Check that your balance covers the amount and the fee, and have your PIN')
    expect(en).not.toContain('Not enough money')
    expect(sw).toContain('MTN MoMo haikuchukua malipo')
    expect(lg).toContain('MTN MoMo tekkirizza kusasula kuno')
  })

  test('shows no cause for Airtel’s refusal without a reason', async () => {
    const [en] = await toldOf('REFUSED', '0702 345007')
    expect(en).toContain('Airtel Money did not take the request')
    expect(en).toContain('It did not say why.')
    expect(en).not.toContain('not your mistake')
  })

  test('shows a limit of the provider in words that hold below and above it', async () => {
    const [en, sw, lg] = await toldOf('OVER_LIMIT', '0702 345004')
    expect(en).toContain('The amount is outside your limits')
    expect(en).toContain('It is less or more than Airtel Money lets this number send now.')
    expect(sw).toContain('Ni kidogo au kikubwa kuliko')
    expect(lg).toContain('Mutono oba munene okusinga')
  })

  test.each([
    ['the number says MTN', { phone: '0772 123456' }, 'mtn_momo'],
    ['the number says Airtel', { phone: '0702 345678' }, 'airtel_money'],
    ['the payer knows better', { phone: '0702 345679', rail: 'mtn_momo' }, 'mtn_momo'],
    ['the form leaves it open', { phone: '0752 123456', rail: '' }, 'airtel_money'],
  ])('%s', async (_why, fields, rail) => {
    const { id } = await ug.checkout(await ug.merchant(), { amount: 150_000 })
    expect((await ug.ask(`/c/${id}`)).text).toContain('value="airtel_money"')
    const reply = await ug.ask(`/c/${id}/pay`, {
      body: new URLSearchParams({ key: anyKey(), ...fields }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(reply.status).toBe(303)
    const [attempt] = await ug.rows(`SELECT rail FROM intents WHERE checkout_id = '${id}'`)
    expect(attempt).toEqual({ rail })
  })
})
