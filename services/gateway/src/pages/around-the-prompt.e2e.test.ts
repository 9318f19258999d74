import { openBrowser } from '@malipo/e2e/browser'
import { wrongWithScreen } from '@malipo/e2e/judge-screen'
import { openPayerPage, type PayerPage } from '@malipo/e2e/payer-page'
import type { Browser } from 'playwright-core'
import type { Merchant } from '../merchants.harness'
import { anyPhone, type RunningHost, startHost } from '../start.harness'
import { countRequests, requestsIn } from './page-requests.harness'
import { look } from './browser-journey.harness'

let host: RunningHost
let uganda: RunningHost
let merchant: Merchant
let browser: Browser
const pages: PayerPage[] = []

beforeAll(async () => {
  host = await startHost({ businessNumber: '174379' })
  uganda = await startHost({ country: 'ug' })
  merchant = await host.merchant()
  browser = await openBrowser()
})
afterEach(async () => {
  await Promise.all(pages.splice(0).map((page) => page.close()))
})
afterAll(async () => {
  await browser.close()
  await host.stop()
  await uganda.stop()
})

const order = async (input: object = {}) =>
  (await host.checkout(merchant, { amount: 150_000, ...input })).id
const pay = async (token: string) => host.ledger.pay(token, 150_000n)

async function arrive(id: string): Promise<PayerPage> {
  const payer = await openPayerPage(browser)
  pages.push(payer)
  await payer.open(`${host.url}/c/${id}`)
  return payer
}

describe('a phone that gets no prompt', () => {
  test('is refused under its field with the reason, before anything is sent', async () => {
    const payer = await arrive(await order())
    const posts: string[] = []
    payer.page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
    for (const [typed, reason] of [
      ['0712 345', 'Check the digits'],
      ['0712345678x', 'Check the digits'],
      ['020 234 5678', 'This is a landline'],
      ['+256 772 123 456', 'Check the digits'],
      ['0800 720 000', 'This is a toll-free or service number'],
      ['00254 733 123 456', 'This number is from Airtel. M-PESA needs one from Safaricom'],
    ] as const) {
      await payer.pay(typed)
      await payer.sees(reason)
      expect(await payer.page.evaluate('document.activeElement.name')).toBe('phone')
    }
    expect(await payer.wrongWith()).toEqual([])
    expect(posts).toEqual([])
  })

  test('is accepted when its owner says that the number has moved to Safaricom', async () => {
    const payer = await arrive(await order())
    await payer.pay('0733 123 456')
    await payer.page.getByRole('checkbox', { name: 'moved to Safaricom' }).check()
    await payer.page.getByRole('button', { name: 'Pay KES' }).click()
    await payer.sees('ending in 456')
  })
})

test('shows a refusal of the server in the page, with the menu open, after one POST', async () => {
  const phone = anyPhone()
  for (let prompts = 0; prompts < 5; prompts += 1) await host.startPayment(await order(), phone)
  const payer = await arrive(await order())
  const statuses: number[] = []
  payer.page.on('response', (response) => {
    if (response.request().method() === 'POST') statuses.push(response.status())
  })
  await payer.pay(phone)
  await payer.sees('Too many tries')
  await payer.page.getByRole('button', { name: 'Copy: Business number' }).waitFor()
  expect(await payer.page.getByRole('textbox', { name: /phone/ }).inputValue()).toBe(phone)
  expect(statuses).toEqual([429])
  expect(await wrongWithScreen(payer.page)).toEqual([])
})

test('on a browser without newer methods of arrays, shows a refusal and can be pressed again', async () => {
  const payer = await openPayerPage(browser)
  pages.push(payer)
  const newer = ['at', 'findLast', 'findLastIndex', 'toReversed', 'toSorted', 'toSpliced', 'with']
  await payer.page.addInitScript(
    `for (const name of ${JSON.stringify(newer)}) delete Array.prototype[name]`,
  )
  await payer.open(`${host.url}/c/${await order()}`)
  const json = { title: 'Too many tries', text: ['Try again in 12 minutes.'] }
  await payer.page.route('**/pay', async (route) => route.fulfill({ status: 429, json }))
  await payer.pay(anyPhone())
  await payer.sees('Try again in 12 minutes.')
  const button = payer.page.getByRole('button', { name: /^Pay / })
  expect(await button.isEnabled()).toBe(true)
})

describe('a page whose server answers a press with', () => {
  const text = ['Try again.']
  const busy = { title: 'Many people are paying right now', text, busy: true, menu: true }
  const unavailable = { title: 'We cannot show this right now', text }

  async function arriveRefused(
    times: number,
    json: { readonly title: string } = busy,
  ): Promise<PayerPage> {
    const payer = await arrive(await order())
    const refusal = { status: 503, headers: { 'retry-after': '2' }, json }
    await payer.page.route('**/pay', async (route) => route.fulfill(refusal), { times })
    await payer.pay(anyPhone())
    await payer.sees(json.title)
    return payer
  }
  const menuOf = ({ page }: PayerPage) => page.getByText('I have paid: check now')

  test('"busy" once shows that, offers no menu beside the prompt to come, and pays when it comes', async () => {
    const payer = await arriveRefused(1)
    expect(await menuOf(payer).isVisible()).toBe(false)
    await payer.sees('Check your phone')
  })

  test('"busy" three times offers the menu, and sends no prompt later', async () => {
    const payer = await arriveRefused(3)
    await menuOf(payer).waitFor()
    await payer.sees('Try again.')
    expect(await payer.page.getByRole('button', { name: /^Pay / }).isEnabled()).toBe(true)
  })

  test('"unavailable" three times keeps the menu folded: a prompt may still come', async () => {
    expect(await menuOf(await arriveRefused(3, unavailable)).isVisible()).toBe(false)
  })
})

describe('while a payer waits', () => {
  test('the page of an MTN payment shows the same state as the phone after 30, 64 and 200 seconds', async () => {
    const { id } = await uganda.checkout(await uganda.merchant(), { amount: 500_000 })
    const { intentId } = await uganda.startPayment(id, '256772123456')
    await uganda.ledger.submit(intentId)
    const payer = await openPayerPage(browser)
    pages.push(payer)
    await payer.page.clock.install()
    await payer.open(`${uganda.url}/c/${id}`)
    await payer.page.clock.runFor(30_000)
    await payer.sees('The prompt stays open for about 4 minutes.')
    await payer.page.clock.runFor(34_000)
    await payer.sees('The prompt stays open for about 3 minutes.')
    await payer.sees('dial *165#')
    uganda.time.aheadMs = 200_000
    await payer.page.clock.runFor(136_000)
    await look(payer)
    await payer.sees('We are still checking')
    await payer.sees('is still open. Enter your PIN there')
    await payer.sees('We wait for MTN MoMo until')
    uganda.time.aheadMs = 301_000
    await payer.page.getByRole('link', { name: 'Check again' }).click()
    await payer.sees('We have no answer yet about the prompt')
    uganda.time.aheadMs = 0
  })

  test('the page of a payment reported as paid offers no new prompt, keeps polling, and shows the money when it comes', async () => {
    const { id } = await uganda.checkout(await uganda.merchant(), { amount: 500_000 })
    const { intentId } = await uganda.startPayment(id, '256772123457')
    const token = await uganda.ledger.submit(intentId)
    const payer = await openPayerPage(browser)
    pages.push(payer)
    await payer.page.clock.install()
    await payer.open(`${uganda.url}/c/${id}`)
    await payer.sees('Check your phone')
    await uganda.ledger.pay(token, 500_000n)
    uganda.time.aheadMs = 11_000
    await payer.page.clock.runFor(11_000)
    await payer.sees('Your payment was reported to us as paid')
    expect(await payer.page.locator('main').textContent()).not.toContain('new prompt')
    for (let seconds = 0; seconds < 25; seconds += 2.5) {
      const poll = payer.page.waitForRequest((request) =>
        request.url().endsWith(`/intents/${intentId}`),
      )
      await payer.page.clock.runFor(2_500)
      await (await poll).response()
    }
    await payer.page.clock.runFor(120_000)
    await uganda.ledger.reportQueryAnswer(intentId, 500_000n)
    await payer.page.clock.runFor(6_000)
    await payer.sees('Paid to')
    uganda.time.aheadMs = 0
  })

  test('the page polls for two minutes, then looks for money from the menu, and stops after ten more minutes', async () => {
    const id = await order()
    const { intentId } = await host.startPayment(id)
    await host.ledger.submit(intentId)
    const payer = await openPayerPage(browser)
    pages.push(payer)
    await payer.page.addInitScript(countRequests)
    await payer.page.clock.install({ time: '2026-11-20T12:00:00Z' })
    await payer.page.clock.pauseAt('2026-11-20T12:00:01Z')
    await payer.open(`${host.url}/c/${id}`)
    await payer.sees('Check your phone')
    const pass = (milliseconds: number) => requestsIn(payer.page, milliseconds)
    await pass(105_000)
    // The page subtracts the time since the prompt, and a busy machine takes several seconds to open the page.
    for (let seconds = 107.5; seconds < 112.5; seconds += 2.5) {
      expect([seconds, (await pass(2_500)).polls]).toEqual([seconds, 1])
    }
    await pass(20_000)
    expect(await pass(60_000)).toEqual({ polls: 0, looks: expect.any(Number) })
    await pass(600_000)
    expect(await pass(60_000)).toEqual({ polls: 0, looks: 0 })
  })

  test('a push without an answer offers Pay Bill within 10 s, sends no second prompt, and warns against paying both', async () => {
    const id = await order()
    const payer = await openPayerPage(browser)
    pages.push(payer)
    await payer.page.clock.install()
    await payer.open(`${host.url}/c/${id}`)
    await payer.pay(anyPhone())
    await payer.sees('Check your phone')
    const { intent_id: intentId } = (await host.ask(`/c/${id}/state`)).body.data
    const token = await host.ledger.submitInVain(intentId)
    await payer.page.clock.runFor(10_000)
    await payer.sees('M-PESA has not answered us')
    await payer.sees('A prompt may still come')
    await payer.sees('Never do both.')
    await payer.page.getByRole('button', { name: 'Copy: Business number' }).waitFor()
    expect(await wrongWithScreen(payer.page)).toEqual([])
    const path = `/v1/payments/public/checkouts/${id}/pay`
    const headers = { 'idempotency-key': 'another' }
    const again = await host.ask(path, { body: { phone: '254722000111' }, headers })
    expect([again.status, again.body.data.intent_id]).toEqual([200, intentId])
    await pay(token)
    await payer.page.clock.runFor(6_000)
    await payer.sees('Paid to')
  })

  test('a queued prompt shows that it may not be sent, and later why it was not', async () => {
    const phone = anyPhone()
    const earlier = await host.startPayment(await order(), phone)
    const id = await order()
    const { intentId } = await host.startPayment(id, phone)
    // The earlier prompt is open for a minute, and a slow machine uses seconds of it.
    await host.letPass(50)
    await host.ledger.submit(earlier.intentId)
    await host.ledger.beginSubmit({ intentId })
    const payer = await arrive(id)
    await payer.sees(/until \d\d:\d\d at the latest.*yours is not sent, no money is taken/)
    expect(await wrongWithScreen(payer.page)).toEqual([])
    await host.letPass(40)
    await host.ledger.beginSubmit({ intentId })
    await payer.sees('Another request was open on your phone')
    await payer.page.getByRole('button', { name: 'Try again' }).waitFor()
  })

  test('an expired push without an answer offers a new prompt and Pay Bill, and warns of the prompt', async () => {
    const id = await order()
    await host.ledger.submitInVain((await host.startPayment(id)).intentId)
    await host.letPass(151)
    const payer = await arrive(id)
    await payer.page.getByText('I did not enter my PIN').click()
    await payer.sees('Pay once only: if the prompt still comes, cancel it.')
    await payer.page.getByRole('button', { name: 'Copy: Business number' }).waitFor()
    expect(await wrongWithScreen(payer.page)).toEqual([])
  })

  test('seven pages of one browser all load, and the last one shows its payment', async () => {
    // Over HTTP/1.1 a browser opens six connections to a host.
    const { page } = await arrive(await order())
    const inContext = async () => {
      const id = await order()
      const token = await host.ledger.submit((await host.startPayment(id)).intentId)
      const tab = await page.context().newPage()
      await tab.goto(`${host.url}/c/${id}`)
      await tab.getByRole('heading', { name: 'Check your phone' }).waitFor()
      return { tab, token }
    }
    for (let count = 1; count < 7; count += 1) await inContext()
    const { tab, token } = await inContext()
    await pay(token)
    await tab.getByRole('heading', { name: 'Paid' }).waitFor()
  })

  test('another number is offered once the payer has cancelled; until then the page shows why and how long to wait', async () => {
    const id = await order()
    const { intentId } = await host.startPayment(id)
    const token = await host.ledger.submit(intentId)
    const payer = await arrive(id)
    await payer.page.getByText('Use another number').click()
    await payer.sees(/so that you do not pay twice.*it waits for M-PESA until \d\d:\d\d\./)
    await host.ledger.decline(token, 'CANCELLED')
    await payer.sees('The prompt was cancelled')
    await payer.pay('0722 000 222')
    await payer.sees('ending in 222')
  })
})
