import { openBrowser } from '@malipo/e2e/browser'
import { wrongWithScreen } from '@malipo/e2e/judge-screen'
import { openPayerPage, type PayerPage } from '@malipo/e2e/payer-page'
import type { Browser } from 'playwright-core'
import type { Merchant } from '../merchants.harness'
import { anyPhone, type RunningHost, startHost } from '../start.harness'

let host: RunningHost
let merchant: Merchant
let browser: Browser
const pages: PayerPage[] = []

beforeAll(async () => {
  host = await startHost({ businessNumber: '174379' })
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

const order = async () => (await host.checkout(merchant, { amount: 150_000 })).id

async function arrive(id: string): Promise<PayerPage> {
  const payer = await openPayerPage(browser)
  pages.push(payer)
  await payer.open(`${host.url}/c/${id}`)
  return payer
}

describe('a phone that gets no prompt', () => {
  test('is refused with the reason, under the field, before anything is sent', async () => {
    const payer = await arrive(await order())
    const posts: string[] = []
    payer.page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
    for (const [typed, reason] of [
      ['0712 345', 'Check the digits'],
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

  test('is sent when its owner says that it has moved to Safaricom', async () => {
    const payer = await arrive(await order())
    await payer.pay('0733 123 456')
    await payer.page.getByRole('checkbox', { name: 'moved to Safaricom' }).check()
    await payer.page.getByRole('button', { name: 'Pay KES' }).click()
    await payer.sees('ending in 456')
  })
})

test('a refusal of the server is shown in the page, with the menu open, after one post', async () => {
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
