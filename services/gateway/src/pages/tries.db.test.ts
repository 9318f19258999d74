import { eventually } from '@malipo/testing/eventually'
import { ofFile } from '@malipo/testing/lazily'
import { randomBytes } from 'node:crypto'
import { openHeldLedger } from '../limits/held-ledger.harness'
import type { Reply, Sent } from '../send.harness'
import { anyPhone, startHost } from '../start.harness'

const host = ofFile(() => startHost())
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

/** The tries that an address has left of its 30 an hour, as the answer to a press reports them. */
const triesLeft = (reply: Reply) => /^"pay";r=(\d+)/.exec(reply.headers['ratelimit'] ?? '')?.[1]

test('costs no try for 100 typos: the first good number takes the first of 30', async () => {
  const id = await checkout()
  const from = '203.0.113.40'
  for (let typos = 0; typos < 100; typos += 20) {
    const presses = Array.from({ length: 20 }, () =>
      press(id, { key: anyKey(), phone: '0712 34' }, { from }),
    )
    for (const { status } of await Promise.all(presses)) expect(status).toBe(400)
  }
  const first = await press(id, { key: anyKey(), phone: '0712 345 678' }, { from })
  expect([first.status, triesLeft(first)]).toEqual([303, '29'])
})

test('costs one try of 30 for each well-formed press: new, in progress, paid, not found, or another phone with the key', async () => {
  const from = '203.0.113.41'
  const form = { key: anyKey(), phone: '0712 345 678' }
  const [open, paid] = [await checkout(), await checkout()]
  const { intentId } = await host.startPayment(paid)
  await host.ledger.pay(await host.ledger.submit(intentId), 150_000n)
  const left: (string | undefined)[] = []
  for (const id of [open, open, paid, 'cs_ke_000000000000000000000000']) {
    left.push(triesLeft(await press(id, form, { from })))
  }
  left.push(triesLeft(await press(open, { ...form, phone: '0712 345 679' }, { from })))
  expect(left).toEqual(['29', '28', '27', '26', '25'])
})

describe('refuses a number that cannot get a prompt, with the reason and without using up a try', () => {
  test.each([
    ['a landline', '020 234 5678', 'This is a landline.'],
    ['a toll-free number', '0800 720 000', 'This is a toll-free or service number.'],
    [
      'a number of Airtel',
      '0733 123 456',
      'This number is from Airtel. M-PESA needs one from Safaricom.',
    ],
    [
      'a number of Telkom',
      '+254 772 123 456',
      'This number is from Telkom. M-PESA needs one from Safaricom.',
    ],
  ])('%s', async (_, phone, reason) => {
    const id = await checkout()
    const from = '203.0.113.42'
    const reply = await press(id, { key: anyKey(), phone }, { from })
    expect([reply.status, triesLeft(reply)]).toEqual([400, undefined])
    expect(reply.text).toContain(reason)
    expect(reply.text).toContain('aria-invalid="true"')
    expect(await attemptsOf(id)).toEqual([])
  })

  test('but accepts a number of Airtel when its owner says that it moved to Safaricom', async () => {
    const id = await checkout()
    const typed = { key: anyKey(), phone: '0733 123 456' }
    expect((await press(id, typed)).text).toContain('name="moved"')
    expect((await press(id, { ...typed, moved: 'yes' })).status).toBe(303)
    expect(await attemptsOf(id)).toMatchObject([{ phone: '254733123456' }])
  })

  test('but accepts a landline by the API', async () => {
    const id = await checkout()
    const path = `/v1/payments/public/checkouts/${id}/pay`
    const headers = { 'idempotency-key': anyKey() }
    expect((await host.ask(path, { body: { phone: '254202345678' }, headers })).status).toBe(202)
  })
})

test("returns a refusal as JSON to the page's script, so that it posts once", async () => {
  const headers = { accept: 'application/json' }
  const id = await checkout()
  const typo = await press(id, { key: anyKey(), phone: '0712' }, { headers })
  expect([typo.status, typo.body]).toEqual([
    400,
    { errors: [{ path: 'phone', message: expect.stringContaining('Check the digits') }] },
  ])
  const missing = 'cs_ke_000000000000000000000000'
  const refused = await press(missing, { key: anyKey(), phone: anyPhone() }, { headers })
  expect([refused.status, refused.body]).toEqual([
    404,
    {
      title: 'There is no such payment page',
      text: ['Check the link, or ask the person who sent it for a new one.'],
    },
  ])
})

test('counts page and API in one budget of 30 payments an hour of an address', async () => {
  const id = await checkout()
  const from = '203.0.113.20'
  for (let request = 0; request < 30; request += 1) {
    await press(id, { key: anyKey(), phone: '0712 345 678' }, { from })
  }
  const headers = { 'idempotency-key': 'k' }
  const body = { phone: '254712345678' }
  const path = `/v1/payments/public/checkouts/${id}/pay`
  expect((await host.ask(path, { body, headers, from })).status).toBe(429)
})

describe('over the limit of its address', () => {
  const kenya = ofFile(async () => {
    const ledger = await openHeldLedger('ke')
    const running = await startHost({ businessNumber: '174379', ledgerAddress: ledger.address })
    ledger.passOnTo(running.address('ledger'))
    const stop = async () => {
      await running.stop()
      await ledger.stop()
    }
    return { ledger, running, stop }
  })

  test.each([
    ['pay', 30, '203.0.113.70', 'To protect your phone from unwanted prompts, there is a limit.'],
    ['card', 20, '203.0.113.71', 'There is a limit to how often the card page can be opened.'],
  ])(
    'a press of /%s counts as a page view, and reads nothing after 600 views',
    async (form, tries, from, reason) => {
      const { ledger, running } = kenya
      const { id } = await running.checkout(await running.merchant(), { amount: 150_000 })
      const look = () => running.ask(`/c/${id}/state`, { from })
      const pressOn = (checkoutId: string) => () =>
        running.ask(`/c/${checkoutId}/${form}`, {
          body: `key=${anyKey()}&phone=0712345678`,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          from,
        })
      expect(await statusesOf(tries, pressOn('cs_ke_000000000000000000000000'))).toEqual([404])
      expect(await statusesOf(599, look)).toEqual([200])
      const last = await pressOn(id)()
      expect([last.status, last.text.includes('data-copy="174379"')]).toEqual([429, true])
      expect(last.text).toContain(reason)
      ledger.hold('readCheckout')
      const presses = Array.from({ length: 20 }, pressOn(id))
      let answered = 0
      for (const press of presses) void press.then(() => (answered += 1))
      const areThere = () => ledger.arrived('readCheckout') + answered === presses.length
      await eventually('each press is answered, or reads', areThere)
      const reads = ledger.arrived('readCheckout')
      ledger.release()
      expect(reads).toBe(0)
      for (const { status, text } of await Promise.all(presses)) {
        expect([status, text.includes('data-copy="')]).toEqual([429, false])
        expect(text).toContain('If you entered your PIN, do not pay again.')
      }
    },
  )

  /** Asks `count` times, ten at once, and returns each status that came. */
  async function statusesOf(count: number, ask: () => Promise<Reply>): Promise<number[]> {
    const statuses = new Set<number>()
    for (let sent = 0; sent < count; sent += 10) {
      const tens = Array.from({ length: Math.min(10, count - sent) }, ask)
      for (const { status } of await Promise.all(tens)) statuses.add(status)
    }
    return [...statuses]
  }
})
