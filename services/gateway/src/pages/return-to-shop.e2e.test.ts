import { openBrowser } from '@malipo/e2e/browser'
import { openPayerPage, type PayerPage } from '@malipo/e2e/payer-page'
import type { Browser } from 'playwright-core'
import type { Merchant } from '../merchants.harness'
import { type RunningHost, startHost } from '../start.harness'

let host: RunningHost
let merchant: Merchant
let browser: Browser
const pages: PayerPage[] = []

beforeAll(async () => {
  host = await startHost()
  merchant = await host.merchant()
  browser = await openBrowser()
})
afterEach(async () => {
  await Promise.all(pages.splice(0).map((page) => page.close()))
})
afterAll(async () => {
  await browser.close()
  await host.stop()
})

describe('the return to the shop', () => {
  async function arrivePaid(laterMs = 0): Promise<PayerPage> {
    const { id } = await host.checkout(merchant, {
      amount: 150_000,
      return_url: 'https://shop.example/thanks',
    })
    const { intentId } = await host.startPayment(id)
    await host.ledger.pay(await host.ledger.submit(intentId), 150_000n)
    host.time.aheadMs = laterMs
    const payer = await openPayerPage(browser)
    pages.push(payer)
    const shop = { contentType: 'text/html', body: '<h1>Thank you</h1>' }
    await payer.page.route('https://shop.example/**', (route) => route.fulfill(shop))
    // A clock that runs by itself would count down while a slow machine looks at the page.
    await payer.page.clock.install({ time: '2026-11-20T12:00:00Z' })
    await payer.page.clock.pauseAt('2026-11-20T12:00:01Z')
    await payer.open(`${host.url}/c/${id}`)
    await payer.sees('Paid to')
    host.time.aheadMs = 0
    return payer
  }

  test('happens once, after five seconds; the back button then shows the receipt', async () => {
    const payer = await arrivePaid()
    await payer.sees('Taking you to shop.example in 5 seconds.')
    await payer.page.clock.runFor(4_000)
    await payer.sees('Taking you to shop.example in 1 second.')
    expect(await payer.page.getByText('Paid to').isVisible()).toBe(true)
    await payer.page.clock.runFor(1_100)
    await payer.sees('Thank you')
    await payer.page.goBack()
    await payer.sees('Paid to')
    await payer.page.clock.runFor(10_000)
    expect(await payer.page.getByText('Paid to').isVisible()).toBe(true)
  })

  test('does not happen when the payer stops it, nor in another tab of the same browser', async () => {
    const payer = await arrivePaid()
    await payer.page.getByRole('button', { name: 'Stay here' }).click()
    await payer.page.clock.runFor(10_000)
    expect(await payer.page.getByText('Paid to').isVisible()).toBe(true)
    const tab = await payer.page.context().newPage()
    await tab.clock.install()
    await tab.goto(payer.page.url())
    await tab.clock.runFor(10_000)
    expect(await tab.getByText('Paid to').isVisible()).toBe(true)
    expect(await tab.getByText('Taking you to').isVisible()).toBe(false)
  })

  test('is a link without a countdown when the receipt is opened later', async () => {
    const payer = await arrivePaid(150_000)
    await payer.page.clock.runFor(10_000)
    expect(await payer.page.getByText('Taking you to').isVisible()).toBe(false)
    await payer.page.getByRole('link', { name: 'Continue to shop.example' }).click()
    await payer.sees('Thank you')
  })
})
