import { openBrowser } from '@malipo/e2e/browser'
import { openPayerPage, type PayerPage } from '@malipo/e2e/payer-page'
import type { Browser } from 'playwright-core'
import { type RunningHost, startHost } from '../start.harness'

let kenya: RunningHost
let browser: Browser
let payer: PayerPage

beforeAll(async () => {
  kenya = await startHost({ businessNumber: '174379' })
  browser = await openBrowser()
})
beforeEach(async () => {
  payer = await openPayerPage(browser)
})
afterEach(async () => {
  await payer.close()
})
afterAll(async () => {
  await browser.close()
  await kenya.stop()
})

const order = async (host: RunningHost) =>
  (await host.checkout(await host.merchant(), { amount: 150_000 })).id

test('a page that expires while its payer is in the menu asks for no second payment, and shows the money when it comes', async () => {
  const id = await order(kenya)
  const { body } = await kenya.ask(`/v1/payments/public/checkouts/${id}`)
  const accountNumber = String(body.data.checkout.paybill.account_number)
  await payer.page.clock.install()
  await payer.open(`${kenya.url}/c/${id}`)
  await payer.page.getByText('Pay from the M-PESA menu instead').click()
  await kenya.expire(id)
  await payer.page.clock.runFor(6_000)
  await payer.sees('This payment page has expired')
  await payer.sees('If you have paid from the M-PESA menu, do not pay again')
  expect(await payer.page.locator('main').textContent()).not.toContain('no longer be paid')
  await kenya.ledger.reportPayBill({ accountNumber, amountMinor: 150_000n, isInStatement: true })
  await payer.page.clock.runFor(6_000)
  await payer.sees('Paid to')
})
