import { openBrowser } from '@malipo/e2e/browser'
import { openPayerPage, type PayerPage } from '@malipo/e2e/payer-page'
import type { Browser } from 'playwright-core'
import { type RunningHost, startHost } from '../start.harness'
import { openCardForm } from './card-form.harness'

let kenya: RunningHost
let uganda: RunningHost
let browser: Browser
let payer: PayerPage

beforeAll(async () => {
  kenya = await startHost({ businessNumber: '174379' })
  uganda = await startHost({ country: 'ug' })
  browser = await openBrowser()
})
beforeEach(async () => {
  payer = await openPayerPage(browser)
})
afterEach(async () => {
  for (const host of [kenya, uganda]) host.time.aheadMs = 0
  await payer.close()
})
afterAll(async () => {
  await browser.close()
  await kenya.stop()
  await uganda.stop()
})

const order = async (host: RunningHost) =>
  (await host.checkout(await host.merchant(), { amount: 150_000 })).id

/** Opens the page of a payment in Uganda whose prompt is open, and stops the clock of the browser. */
async function openWaiting(phone: string): Promise<void> {
  const id = await order(uganda)
  const { intentId } = await uganda.startPayment(id, phone)
  await uganda.ledger.submit(intentId)
  await payer.page.clock.install({ time: '2026-11-20T12:00:00Z' })
  await payer.page.clock.pauseAt('2026-11-20T12:00:01Z')
  await payer.open(`${uganda.url}/c/${id}`)
  await payer.sees('Check your phone')
}

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

test('a page whose two minutes end while the host is away shows how to go on as soon as the host answers', async () => {
  await openWaiting('256772123456')
  const polls = /\/state$|\/public\/intents\//
  await payer.page.route(polls, async (route) => route.fulfill({ status: 503 }))
  await payer.page.clock.runFor(150_000)
  await payer.page.unroute(polls)
  uganda.time.aheadMs = 150_000
  await payer.page.clock.resume()
  await payer.sees('We are still checking')
})

test('a page whose two minutes end sooner by the phone than by the host shows how to go on once they end there', async () => {
  await openWaiting('256772123457')
  await payer.page.clock.runFor(121_000)
  await payer.page.clock.resume()
  for (let looks = 0; looks < 2; looks += 1) {
    const answer = await payer.page.waitForResponse((one) => one.url().endsWith('/state'))
    expect(await answer.json()).toMatchObject({ data: { screen: 'waiting' } })
  }
  uganda.time.aheadMs = 150_000
  await payer.sees('We are still checking')
})

test('a card payer who comes back after two minutes sees the payment without a press, with JavaScript or without', async () => {
  const card = openCardForm(kenya)
  const merchant = await kenya.merchant({ cardEnabled: true })
  const { id } = await kenya.checkout(merchant, { amount: 50_000 })
  const plain = await openPayerPage(browser, { javaScriptEnabled: false })
  await payer.open(`${kenya.url}/c/${id}`)
  const intentId = await card.leave(payer, id, 1)
  kenya.time.aheadMs = 130_000
  for (const back of [payer, plain]) {
    await card.comeBack(back, id, intentId)
    await back.sees('it will show here as soon as it is confirmed')
  }
  await card.pay(intentId)
  await Promise.all([payer.sees('Paid to'), plain.sees('Paid to')])
  await plain.close()
})

test('a page whose merchant is frozen while its payer waits says that the payment is kept', async () => {
  const merchant = await kenya.merchant()
  const { id } = await kenya.checkout(merchant, { amount: 150_000 })
  await kenya.ledger.submit((await kenya.startPayment(id)).intentId)
  await payer.page.clock.install()
  await payer.open(`${kenya.url}/c/${id}`)
  await payer.sees('Waiting for your PIN')
  await kenya.rows(
    `UPDATE wallets SET frozen_at = now() WHERE account_id = '${merchant.accountId}'`,
  )
  await payer.page.clock.runFor(125_000)
  await payer.sees('do not pay again: your payment is kept')
})

test('the countdown of a prompt that is sent 40 seconds after the press begins when it is sent', async () => {
  const id = await order(kenya)
  const { intentId } = await kenya.startPayment(id)
  await payer.page.clock.install({ time: '2026-11-20T12:00:00Z' })
  await payer.page.clock.pauseAt('2026-11-20T12:00:01Z')
  await payer.open(`${kenya.url}/c/${id}`)
  await payer.sees('Waiting for your PIN')
  await payer.page.clock.runFor(40_000)
  expect(await payer.page.locator('main').textContent()).not.toMatch(
    /stays open|has probably closed/,
  )
  await kenya.ledger.submit(intentId)
  await payer.page.clock.resume()
  await payer.sees(/stays open for about (60|5\d) seconds/)
})

test.each([
  ['does not know modules', 'type="module"', 'type="module-of-later"'],
  ['cannot parse the script', 'const main =', 'let let ='],
])(
  'a browser that %s shows the money without a press: the waiting page reloads itself',
  async (_what, known, unknown) => {
    const id = await order(kenya)
    const { intentId } = await kenya.startPayment(id)
    await payer.page.route(`**/c/${id}`, async (route) => {
      const response = await route.fetch()
      const served = await response.text()
      expect(served).toContain(known)
      await route.fulfill({ response, body: served.replace(known, unknown) })
    })
    await payer.page.clock.install()
    await payer.open(`${kenya.url}/c/${id}`)
    await payer.sees('Check your phone')
    await kenya.ledger.pay(await kenya.ledger.submit(intentId), 150_000n)
    await payer.page.clock.runFor(6_000)
    await payer.sees('Paid to')
  },
)
