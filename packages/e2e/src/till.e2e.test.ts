import { eventually } from '@malipo/testing/eventually'
import type { Browser } from 'playwright-core'
import { openBrowser } from './browser'
import { type Fixture, openFixture } from './fixture'
import { operate } from './operator'
import { openPayerPage, type PayerPage } from './payer-page'

// A shop with a till: its payers type nothing that names a checkout. A payment is known by its prompt, or by the
// payer's number in the statement.

let fixture: Fixture
let browser: Browser
let payer: PayerPage

beforeAll(async () => {
  fixture = await openFixture({ PAY_BILL_SECONDS: '1' }, ['--till'])
  browser = await openBrowser()
})
beforeEach(async () => {
  payer = await openPayerPage(browser)
})
afterEach(() => payer.close())
afterAll(async () => {
  await browser.close()
  await fixture.close()
})

const till = '832456'
const amount = '50000'

/** What this test reads of an image in the browser. */
interface Picture {
  readonly naturalWidth: number
}

const newPhone = () => fixture.provider.addPhone('ask', '25479')

async function creditOf(receipt: string): Promise<string> {
  return eventually('the receipt is in the journal', async () => {
    const transfers = await fixture.journal.transfers()
    return transfers.find(({ event_key: key }) => key === `receipt:mpesa:${receipt}`)?.credit
  })
}

test('a payment by a prompt for the till completes the checkout and is posted to the wallet', async () => {
  const checkout = await fixture.merchant.createCheckout({ amount: Number(amount) })
  const msisdn = await newPhone()
  await payer.open(checkout.url)
  await payer.pay(msisdn)
  await fixture.provider.happened('prompt_opened', msisdn)
  await fixture.provider.answer(msisdn, 'approve')
  await payer.sees('Paid to')
  const { payment } = await fixture.merchant.readCheckout(checkout.id)
  const row = (await fixture.provider.book()).find(
    ({ receipt }) => receipt === payment?.provider_receipt,
  )
  expect(row).toMatchObject({ kind: 'stk_push', business: till, amount })
  expect(await creditOf(payment?.provider_receipt ?? '')).toMatch(/^wallet:/)
})

test('a tester finds the payment in the simulator by the id of its checkout, while it is open and after it failed', async () => {
  const checkout = await fixture.merchant.createCheckout({ amount: Number(amount) })
  const msisdn = await newPhone()
  const timelines = async () => {
    const address = `${fixture.stack.file.simulator.url}/sim/live?words=${checkout.id}`
    const text = await (await fetch(address)).text()
    return text.includes('Providers are told') ? 0 : [...text.matchAll(/data-timeline="M/g)].length
  }
  expect(await timelines()).toBe(0)
  await payer.open(checkout.url)
  await payer.pay(msisdn)
  await eventually('its timeline is found', async () => (await timelines()) === 1)
  await fixture.provider.answer(msisdn, 'cancel')
  await payer.sees('The prompt was cancelled')
  expect(await timelines()).toBe(1)
})

test('a payer is sent the page without our comments', async () => {
  const { url } = await fixture.merchant.createCheckout({ amount: Number(amount) })
  const page = await (await fetch(url)).text()
  const inlined = [...page.matchAll(/<(?:style|script)[^>]*>([^]*?)<\/(?:style|script)>/g)]
  expect(inlined).toHaveLength(2)
  for (const [, text] of inlined) expect(text).not.toMatch(/\/\*|^\s*\/\/ /m)
})

test('a payment from the Buy Goods menu completes the checkout and is posted to the wallet', async () => {
  const phone = await newPhone()
  const checkout = await fixture.merchant.createCheckout({ amount: Number(amount), phone })
  await payer.open(checkout.url)
  await payer.page.getByText('Pay from the M-PESA menu instead').click()
  await payer.sees(`Till number ${till}`)
  await payer.sees(`Pay from the phone ending in ${phone.slice(-3)}`)
  expect(await payer.page.getByText(/Account number|Pay Bill/).count()).toBe(0)
  expect(await payer.wrongWith()).toEqual([])
  const receipt = await fixture.provider.payTill(phone, { till_number: till, amount })
  await payer.sees('Paid to')
  expect(await fixture.merchant.readCheckout(checkout.id)).toMatchObject({
    status: 'completed',
    payment: { provider_receipt: receipt, amount_settled: amount },
  })
  expect(await creditOf(receipt)).toMatch(/^wallet:/)
})

test('a payment that fits two checkouts of its payer is held, and completes neither', async () => {
  const phone = await newPhone()
  const order = { amount: Number(amount), phone }
  const made = [await fixture.merchant.createCheckout(order)]
  made.push(await fixture.merchant.createCheckout(order))
  const receipt = await fixture.provider.payTill(phone, { till_number: till, amount })
  expect(await creditOf(receipt)).toBe('suspense:unmatched')
  for (const { id } of made) {
    expect((await fixture.merchant.readCheckout(id)).status).toBe('open')
  }
  expect(await operate(fixture.stack.dir, 'audit')).toMatchObject({ isGood: true })
})

test('a payment by scanning the QR code of the page completes the checkout and is posted to the wallet', async () => {
  const phone = await newPhone()
  const checkout = await fixture.merchant.createCheckout({ amount: Number(amount), phone })
  await payer.page.setViewportSize({ width: 1_280, height: 800 })
  await payer.open(checkout.url)
  const drawn = payer.page.waitForResponse(/\/pay\.png$/)
  await payer.page.getByText('Pay from the M-PESA menu instead').click()
  await payer.sees('scan this with the M-PESA app')
  const picture = (await (await drawn).body()).toString('base64')
  const code = payer.page.locator('.app-code img')
  expect(
    await code.evaluate((image) => (image as unknown as Picture).naturalWidth),
  ).toBeGreaterThan(100)
  expect(await payer.wrongWith()).toEqual([])
  const receipt = await fixture.provider.scan(phone, picture)
  await payer.sees('Paid to')
  const paid = { status: 'completed', payment: { provider_receipt: receipt } }
  expect(await fixture.merchant.readCheckout(checkout.id)).toMatchObject(paid)
  expect(await creditOf(receipt)).toMatch(/^wallet:/)
})

test('a checkout has no QR code where the provider draws none, and once it is paid', async () => {
  const phone = await newPhone()
  const undrawn = await fixture.merchant.createCheckout({ amount: Number(amount), phone })
  const paid = await fixture.merchant.createCheckout({ amount: 60_000, phone })
  await fixture.provider.addRule({
    on: 'qr',
    effect: { kind: 'error', error: 'internal' },
    times: 1,
  })
  expect((await fetch(`${undrawn.url}/pay.png`)).status).toBe(503)
  await fixture.provider.payTill(phone, { till_number: till, amount: '60000' })
  await eventually('it is paid', async () => {
    const { status } = await fixture.merchant.readCheckout(paid.id)
    return status === 'completed'
  })
  expect((await fetch(`${paid.url}/pay.png`)).status).toBe(404)
})

test('the page offers no menu to a payer whose number is not known', async () => {
  const checkout = await fixture.merchant.createCheckout({ amount: Number(amount) })
  await payer.open(checkout.url)
  await payer.sees('Pay KES')
  expect(await payer.page.getByText(till).count()).toBe(0)
})
