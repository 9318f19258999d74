import { openBrowser } from '@malipo/e2e/browser'
import { openPayerPage, type PayerPage } from '@malipo/e2e/payer-page'
import type { Browser } from 'playwright-core'
import type { Merchant } from '../merchants.harness'
import { anyPhone, type RunningHost, startHost } from '../start.harness'
import { openCardForm } from './card-form.harness'
import { look, tabTo, wordsOfFocus } from './browser-journey.harness'

let host: RunningHost
let merchant: Merchant
let browser: Browser
const pages: PayerPage[] = []

beforeAll(async () => {
  host = await startHost({ businessNumber: '174379' })
  merchant = await host.merchant({ cardEnabled: true })
  browser = await openBrowser()
})
afterEach(async () => {
  await Promise.all(pages.splice(0).map((page) => page.close()))
})
afterAll(async () => {
  await browser.close()
  await host.stop()
})

async function visitor(options?: { readonly javaScriptEnabled: boolean }): Promise<PayerPage> {
  const payer = await openPayerPage(browser, options)
  pages.push(payer)
  return payer
}

async function arrive(path: string): Promise<PayerPage> {
  const payer = await visitor()
  await payer.open(host.url + path)
  return payer
}

async function secondTab(payer: PayerPage): Promise<PayerPage> {
  const other = await visitor()
  await other.open(payer.page.url())
  return other
}

describe('the page of a handle', () => {
  const anywhere = { handle: '' }
  beforeEach(async () => {
    anywhere.handle = (await host.link(merchant)).handle
  })

  const attempts = async () =>
    (await host.rows(
      `SELECT id FROM intents WHERE handle = '${anywhere.handle}' ORDER BY created_at`,
    )) as readonly { readonly id: string }[]
  const submitPrompt = async () => host.ledger.submit((await attempts()).at(-1)?.id ?? '')
  const pay = async (token: string) => host.ledger.pay(token, 20_000n)

  async function prompted(payer: PayerPage): Promise<void> {
    await payer.page.getByRole('textbox', { name: /Amount/ }).fill('200')
    await payer.pay(anyPhone())
    await payer.sees('Check your phone')
  }

  test('by keyboard alone: a payer fails, tries again with the form still filled in, and pays', async () => {
    const payer = await arrive(`/p/${anywhere.handle}`)
    await tabTo(payer, 'textbox', /Amount/)
    await payer.page.keyboard.type('200')
    await tabTo(payer, 'textbox', /phone number/)
    await payer.page.keyboard.type(anyPhone())
    await payer.page.keyboard.press('Enter')
    await payer.sees('Waiting for your PIN')
    expect(await wordsOfFocus(payer)).toBe('Check your phone')
    await host.ledger.decline(await submitPrompt(), 'WRONG_PIN')
    await payer.sees('Wrong PIN')
    expect(await wordsOfFocus(payer)).toBe('Wrong PIN')
    await tabTo(payer, 'button', /Try again/)
    await payer.page.keyboard.press('Space')
    await payer.sees('Waiting for your PIN')
    await pay(await submitPrompt())
    await payer.sees('Paid to')
    expect(await attempts()).toHaveLength(2)
  })

  test('a reload shows the same state, and sends no second prompt', async () => {
    const payer = await arrive(`/p/${anywhere.handle}`)
    await prompted(payer)
    await payer.page.reload()
    await payer.sees('Check your phone')
    await pay(await submitPrompt())
    await payer.sees('Paid to')
    await payer.page.reload()
    await payer.sees('Paid to')
    expect(await attempts()).toHaveLength(1)
  })

  test("back returns to the payer's previous page, and forward to the one intent", async () => {
    const payer = await arrive('/docs')
    await payer.open(`${host.url}/p/${anywhere.handle}`)
    await prompted(payer)
    await payer.page.goBack()
    expect(new URL(payer.page.url()).pathname).toBe('/docs')
    await pay(await submitPrompt())
    await payer.page.goForward()
    await payer.sees('Paid to')
    expect(await attempts()).toHaveLength(1)
  })

  test('a payer who returns after paying and pays again makes a second payment', async () => {
    const payer = await arrive(`/p/${anywhere.handle}`)
    await prompted(payer)
    await pay(await submitPrompt())
    await payer.sees('Paid to')
    await payer.open(`${host.url}/p/${anywhere.handle}`)
    await prompted(payer)
    expect(await attempts()).toHaveLength(2)
    await host.ledger.decline(await submitPrompt(), 'CANCELLED')
    await payer.sees('The prompt was cancelled')
  })

  test('without JavaScript: a payer reads why it failed, tries again, sees the money, and goes back', async () => {
    const payer = await visitor({ javaScriptEnabled: false })
    await payer.open(`${host.url}/p/${anywhere.handle}`)
    await prompted(payer)
    await host.ledger.decline(await submitPrompt(), 'NO_FUNDS')
    // The page refreshes itself, without a press.
    await payer.sees('Not enough money in your M-PESA')
    await payer.pay(anyPhone())
    await payer.sees('Waiting for your PIN')
    await pay(await submitPrompt())
    await payer.sees('Paid to')
    // Back shows the failed intent, and sends nothing.
    await payer.page.goBack()
    await payer.sees('Not enough money in your M-PESA')
    await payer.page.goForward()
    await payer.sees('Paid to')
    expect(await attempts()).toHaveLength(2)
  })

  test('two tabs show the same', async () => {
    const payer = await arrive(`/p/${anywhere.handle}`)
    await prompted(payer)
    const other = await secondTab(payer)
    await pay(await submitPrompt())
    await Promise.all([payer.sees('Paid to'), other.sees('Paid to')])
  })

  test('two presses on the button make one prompt', async () => {
    const payer = await arrive(`/p/${anywhere.handle}`)
    await payer.page.getByRole('textbox', { name: /Amount/ }).fill('200')
    await payer.page.getByRole('textbox', { name: /phone/ }).fill(anyPhone())
    await payer.page.getByRole('button', { name: /^Pay/ }).dblclick()
    await payer.sees('Check your phone')
    expect(await attempts()).toHaveLength(1)
  })

  test('without a network the page retries until one prompt comes, and then waits for the payment', async () => {
    const payer = await arrive(`/p/${anywhere.handle}`)
    await payer.page.getByRole('textbox', { name: /Amount/ }).fill('200')
    await payer.page.context().setOffline(true)
    await payer.pay(anyPhone())
    await payer.sees('No connection. Trying again…')
    await payer.page.context().setOffline(false)
    await payer.sees('Waiting for your PIN')
    await payer.page.context().setOffline(true)
    await payer.sees('This page goes on by itself')
    await pay(await submitPrompt())
    await payer.page.context().setOffline(false)
    await payer.sees('Paid to')
    expect(await attempts()).toHaveLength(1)
  })

  test('a phone that slept for a minute shows the result as soon as it wakes', async () => {
    const payer = await visitor()
    await payer.page.clock.install()
    await payer.open(`${host.url}/p/${anywhere.handle}`)
    await prompted(payer)
    await pay(await submitPrompt())
    await payer.page.clock.fastForward(60_000)
    await look(payer)
    await payer.sees('Paid to')
  })
})

describe('a card', () => {
  const order = async () => (await host.checkout(merchant, { amount: 50_000 })).id
  const card = () => openCardForm(host)
  test('by keyboard alone: a declined card, a second try, and a payment', async () => {
    const id = await order()
    const payer = await arrive(`/c/${id}`)
    const first = await card().leave(payer, id, 1)
    await card().comeBack(payer, id, first)
    await payer.sees('We are asking the bank')
    await card().decline(first)
    await payer.sees('The card was declined')
    expect(await wordsOfFocus(payer)).toBe('The card was declined')
    const second = await card().leave(payer, id, 2)
    await card().comeBack(payer, id, second)
    await payer.sees('We are asking the bank')
    await tabTo(payer, 'link', /Go to the card page/)
    await card().pay(second)
    await payer.sees('Paid to')
    expect(await card().attempts(id)).toHaveLength(2)
  })

  test('reload, back and two tabs keep one intent, and each tab can continue it', async () => {
    const id = await order()
    const payer = await arrive(`/c/${id}`)
    const intentId = await card().leave(payer, id, 1)
    await payer.open(`${host.url}/c/${id}`)
    await payer.page.reload()
    await payer.sees('Finish on the card page')
    const other = await secondTab(payer)
    await other.sees('Finish on the card page')
    await payer.page.getByRole('link', { name: 'Go to the card page' }).click()
    await payer.sees('Type your card')
    await payer.page.goBack()
    await payer.sees('Finish on the card page')
    await card().pay(intentId)
    await Promise.all([payer.sees('Paid to'), other.sees('Paid to')])
    expect(await card().attempts(id)).toHaveLength(1)
  })

  test('without a network the page says so, and continues when the network is back', async () => {
    const id = await order()
    const payer = await arrive(`/c/${id}`)
    const intentId = await card().leave(payer, id, 1)
    await card().comeBack(payer, id, intentId)
    await payer.page.context().setOffline(true)
    await payer.sees('This page goes on by itself')
    await card().pay(intentId)
    await payer.page.context().setOffline(false)
    await payer.sees('Paid to')
  })

  test("a phone that slept for a minute shows the card's result as soon as it wakes", async () => {
    const id = await order()
    const payer = await visitor()
    await payer.page.clock.install()
    await payer.open(`${host.url}/c/${id}`)
    const intentId = await card().leave(payer, id, 1)
    await card().comeBack(payer, id, intentId)
    await payer.sees('We are asking the bank')
    await card().pay(intentId)
    await payer.page.clock.fastForward(60_000)
    await look(payer)
    await payer.sees('Paid to')
  })
})

describe('a stale tab', () => {
  const order = async () => (await host.checkout(merchant, { amount: 50_000 })).id

  test('shows the newer intent that another tab has made', async () => {
    const id = await order()
    const [first, second] = ['254712345111', '254712345222']
    const { intentId } = await host.startPayment(id, first)
    const payer = await visitor()
    await payer.page.clock.install()
    await payer.open(`${host.url}/c/${id}`)
    await payer.sees('ending in 111')
    await host.ledger.decline(await host.ledger.submit(intentId), 'CANCELLED')
    await host.startPayment(id, second)
    await look(payer)
    await payer.sees('ending in 222')
  })

  test('shows that the checkout has expired when its form is sent, and sends no prompt', async () => {
    const id = await order()
    const payer = await arrive(`/c/${id}`)
    await host.expire(id)
    await payer.pay(anyPhone())
    await payer.sees('This payment page has expired')
    expect(await host.rows(`SELECT FROM intents WHERE checkout_id = '${id}'`)).toHaveLength(0)
  })

  test('shows the receipt when its form is sent after another payer has paid, and sends no prompt', async () => {
    const id = await order()
    const payer = await arrive(`/c/${id}`)
    const { intentId } = await host.startPayment(id)
    await host.ledger.pay(await host.ledger.submit(intentId), 50_000n)
    await payer.pay(anyPhone())
    await payer.sees('Paid to')
    expect(await host.rows(`SELECT FROM intents WHERE checkout_id = '${id}'`)).toHaveLength(1)
  })
})

test("never counts down from more than a minute when the phone's clock is set back", async () => {
  const { id } = await host.checkout(merchant, { amount: 50_000 })
  await host.ledger.submit((await host.startPayment(id)).intentId)
  const payer = await visitor()
  await payer.page.clock.install({ time: '2026-11-20T12:00:00Z' })
  await payer.open(`${host.url}/c/${id}`)
  await payer.page.clock.setSystemTime('2026-11-20T09:00:00Z')
  await payer.page.clock.runFor(2_000)
  await payer.sees(/stays open for about (60|5\d) seconds/)
})
