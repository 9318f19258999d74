import { ofFile } from '@malipo/testing/lazily'
import { anyPhone, startHost } from '../start.harness'

const host = ofFile(() => startHost({ businessNumber: '174379' }))
const merchant = ofFile(() => host.merchant())

const screenOf = (page: string) => /data-screen="(\w+)"/.exec(page)?.[1]

async function prompt(id: string): Promise<string> {
  return host.ledger.submit((await host.startPayment(id)).intentId)
}

/** Reports a Pay Bill payment by a callback, which confirms nothing, or with `isInStatement` by a row of the statement. */
async function reportPayBill(id: string, paid = {}): Promise<string> {
  const { body } = await host.ask(`/v1/payments/public/checkouts/${id}`)
  const accountNumber = String(body.data.checkout.paybill.account_number)
  const unconfirmed = { accountNumber, amountMinor: 150_000n, isInStatement: false }
  return host.ledger.reportPayBill({ ...unconfirmed, ...paid })
}

test.each([
  ['held', { amountMinor: 100_000n, isInStatement: true }, 'We have received money'],
  ['reported', {}, 'A payment from the M-PESA menu was reported to us'],
])(
  'beside money from the menu that is %s, says that an open prompt is to be cancelled, and offers no other',
  async (_, paid, text) => {
    const { id } = await host.checkout(merchant, { amount: 150_000 })
    const token = await prompt(id)
    await reportPayBill(id, paid)
    const page = async () => (await host.ask(`/c/${id}`)).text
    const once = 'Pay once only: if the prompt still comes, cancel it.'
    const open = await page()
    expect(open).toContain(text)
    expect(open).toContain(once)
    expect([open.includes('data-looking'), open.includes('<form')]).toEqual([true, false])
    await host.ledger.decline(token, 'CANCELLED')
    expect(await page()).toMatch(new RegExp(`${text}[^]*<form`))
    expect(await page()).not.toContain(once)
  },
)

test('beside an open prompt, warns of money that came earlier and is held', async () => {
  const { id } = await host.checkout(merchant, { amount: 150_000 })
  await reportPayBill(id, { amountMinor: 100_000n, isInStatement: true })
  await prompt(id)
  const warned = /data-screen="waiting"[^]*an earlier payment for this, do not pay again/
  expect((await host.ask(`/c/${id}`)).text).toMatch(warned)
})

test('offers the form beside a reported payment, on a page that does not reload without script and so keeps what is typed, until the checkout expires', async () => {
  const { id } = await host.checkout(merchant, { amount: 150_000 })
  await reportPayBill(id)
  const page = async () => (await host.ask(`/c/${id}`)).text
  const reload = '<meta http-equiv="refresh"'
  expect(await page()).toMatch(/data-screen="reported"[^]*<form/)
  expect(await page()).not.toContain(reload)
  await host.expire(id)
  const expired = await page()
  expect([screenOf(expired), expired.includes('<form'), expired.includes(reload)]).toEqual([
    'reported',
    false,
    true,
  ])
})

test('refuses an expired checkout that is open for a reported payment as in progress to a card, and tells a phone not to pay again', async () => {
  const shop = await host.merchant({ cardEnabled: true })
  const { id } = await host.checkout(shop, { amount: 150_000 })
  await reportPayBill(id)
  await host.expire(id)
  const path = `/v1/payments/public/checkouts/${id}`
  expect((await host.ask(path)).body.data.checkout.status).toBe('open')
  const start = (how: string, body: object) =>
    host.ask(`${path}/${how}`, { body, headers: { 'idempotency-key': 'k' } })
  const card = await start('card', {})
  expect([card.status, card.body.code]).toEqual([409, 2786])
  const phone = await start('pay', { phone: anyPhone() })
  expect([phone.status, phone.body.code]).toEqual([409, 2784])
  expect(phone.body.description).toMatch(/is being confirmed: do not pay again$/)
})

test('offers the form without a warning after two operators closed the report as false', async () => {
  const { id } = await host.checkout(merchant, { amount: 150_000 })
  const receipt = await reportPayBill(id)
  const page = async () => (await host.ask(`/c/${id}`)).text
  expect(screenOf(await page())).toBe('reported')
  await host.letPass(660)
  const warning = 'If you approved an earlier payment for this, do not pay again'
  expect(await page()).toContain(warning)
  await host.ledger.closeReport(receipt)
  const closed = await page()
  expect(screenOf(closed)).toBe('start')
  expect(closed).toContain('This has not been paid')
  expect(closed).toContain('You can pay now.')
  expect(closed).not.toContain(warning)
})
