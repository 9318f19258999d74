import { ofFile } from '@malipo/testing/lazily'
import { eventually } from '@malipo/testing/eventually'
import { openHeldLedger } from '../limits/held-ledger.harness'
import { dictionaries } from '../pages/texts/choose-texts'
import { type Reply, send, type Sent } from '../send.harness'
import { anyPhone, startHost } from '../start.harness'

const host = ofFile(() => startHost({}, undefined, { PROMPT_WAIT_MAX_SECONDS: '10' }))
const merchant = ofFile(() => host.merchant())

const checkout = async () => (await host.checkout(merchant, { amount: 50_000 })).id

const pay = async (id: string, phone = anyPhone()) =>
  host.ask(`/v1/payments/public/checkouts/${id}/pay`, {
    body: { phone },
    headers: { 'idempotency-key': `key-${id}` },
  })

const pressOf = (fields = {}, headers: Sent['headers'] = {}): Sent => ({
  body: new URLSearchParams({ key: 'ab'.repeat(16), phone: '0712 345 678', ...fields }).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
})

const press = (id: string, headers: Sent['headers'] = {}, at = host): Promise<Reply> =>
  at.ask(`/c/${id}/pay`, pressOf({}, headers))

/** Three prompts that no worker sends. */
async function crowd(): Promise<string[]> {
  const ids = [await checkout(), await checkout(), await checkout()]
  const started = await Promise.all(ids.map((id) => host.startPayment(id, anyPhone())))
  await host.letPass(15)
  return started.map(({ intentId }) => intentId)
}

test('row 99: answers 503 2752 and says when to come back while prompts wait too long, on the page too; then the same key pays', async () => {
  const waiting = await crowd()
  const attempt = async () => {
    const reply = await pay(await checkout())
    return reply.status !== 202 && reply
  }
  // A quarter of a second between tries, because the ledger looks only now and then and an address has 30 tries.
  const refused = await eventually('a payment is refused', attempt, 60_000, 250)
  expect([refused.status, refused.body.code]).toEqual([503, 2752])
  expect(refused.body.description).toContain('try again')
  expect(refused.headers['retry-after']).toMatch(/^([2-9]|1\d|20)$/)

  const id = await checkout()
  const page = await press(id)
  expect([page.status, page.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)])
  expect(page.text).toContain('Many people are paying right now')
  expect(page.text).toContain(`href="/c/${id}"`)
  const answer = await press(id, { accept: 'application/json' })
  expect(answer.body).toMatchObject({ title: 'Many people are paying right now', busy: true })
  const phone = anyPhone()
  expect((await pay(id, phone)).status).toBe(503)
  expect(await host.rows(`SELECT 1 FROM intents WHERE checkout_id = '${id}'`)).toEqual([])

  await Promise.all(waiting.map((intentId) => host.ledger.submit(intentId)))
  const isTaken = async () => (await pay(id, phone)).status === 202
  await eventually('it is taken', isTaken, 60_000, 250)
})

test('a payment that is refused while prompts wait too long takes none of the 30 tries an hour of its address', async () => {
  await crowd()
  const id = await checkout()
  const from = '203.0.113.30'
  const key = { 'idempotency-key': 'of-one-address' }
  const byApi = () =>
    host.ask(`/v1/payments/public/checkouts/${id}/pay`, {
      body: { phone: '254712345679' },
      headers: key,
      from,
    })
  const byPage = () => host.ask(`/c/${id}/pay`, { ...pressOf(), from })
  const ofHandle = () =>
    host.ask(`/p/${merchant.username}/pay`, { ...pressOf({ amount: '500' }), from })
  const isBusy = async () => (await pay(await checkout())).status === 503
  await eventually('payments are refused', isBusy, 60_000, 250)
  const statuses = new Set<number>()
  for (let tries = 0; tries < 12; tries += 1)
    for (const press of [byApi, byPage, ofHandle]) statuses.add((await press()).status)
  expect(statuses).toEqual(new Set([503]))
  expect((await byApi()).headers['ratelimit']).toMatch(/^"pay";r=30;/)
})

test('beyond the payments that have room, tells the page’s script so in the language of the payer, and never that no payment has begun', async () => {
  const ledger = await openHeldLedger('ke')
  const full = await startHost({ ledgerAddress: ledger.address })
  ledger.passOnTo(full.address('ledger'))
  const shop = await full.merchant({ username: 'MamaNjeri' })
  const { id } = await full.checkout(shop, { amount: 50_000 })
  ledger.hold('startIntent')
  const url = `${full.url}/v1/payments/public/checkouts/${id}/pay`
  const under = Array.from({ length: 192 }, (_, index) =>
    send(url, { body: { phone: anyPhone() }, headers: { 'idempotency-key': String(index) } }),
  )
  await eventually('they fill their class', () => ledger.arrived('startIntent') === under.length)

  for (const { lang, refusals } of Object.values(dictionaries)) {
    const script = { accept: 'application/json', 'accept-language': `${lang}-KE` }
    const { status, headers, body } = await press(id, script, full)
    expect([status, headers['retry-after']]).toEqual([503, '1'])
    expect(headers['content-type']).toContain('application/json')
    const { busy, unavailable } = refusals
    expect(body).toEqual({ title: busy.title, text: [unavailable.text], busy: true })
  }
  const page = await press(id, {}, full)
  expect(page.headers).toMatchObject({ refresh: '3', 'content-type': 'text/html; charset=utf-8' })
  // A reload of this page sends the same press of a handle again; a refresh would open a form with a new key.
  const ofHandle = await full.ask(`/p/${shop.username}/pay`, pressOf({ amount: '500' }))
  expect([ofHandle.status, ofHandle.headers['refresh']]).toEqual([503, undefined])

  ledger.release()
  await Promise.all(under)
  await full.stop()
  await ledger.stop()
})
