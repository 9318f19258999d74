import { systemClock } from '@malipo/runtime/clock'
import { eventually } from '@malipo/testing/eventually'
import type { Browser } from 'playwright-core'
import { openBrowser } from '@malipo/e2e/browser'
import { openPayerPage, type PayerPage } from '@malipo/e2e/payer-page'
import type { Merchant } from '../merchants.harness'
import { anyPhone, type RunningHost, startHost } from '../start.harness'
import { look, tabTo, wordsOfFocus } from './browser-journey.harness'

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

const order = async (input: object = {}) =>
  (await host.checkout(merchant, { amount: 150_000, ...input })).id

async function arrive(
  id: string,
  options?: { readonly javaScriptEnabled: boolean },
): Promise<PayerPage> {
  const payer = await openPayerPage(browser, options)
  pages.push(payer)
  await payer.open(`${host.url}/c/${id}`)
  return payer
}

const attemptsOf = async (id: string) =>
  (await host.rows(
    `SELECT id FROM intents WHERE checkout_id = '${id}' ORDER BY created_at`,
  )) as readonly { readonly id: string }[]

/** Marks the newest intent's prompt as sent to the payer's phone. Returns its callback token. */
const submitPrompt = async (id: string) =>
  host.ledger.submit((await attemptsOf(id)).at(-1)?.id ?? '')
const pay = async (token: string) => host.ledger.pay(token, 150_000n)

describe('with the keyboard alone', () => {
  test('a payer fails, tries again, pays and stays on the receipt', async () => {
    const id = await order({ return_url: 'https://shop.example/thanks' })
    const payer = await arrive(id)
    const { keyboard } = payer.page
    await tabTo(payer, 'textbox', /phone number/)
    await keyboard.type(anyPhone())
    await keyboard.press('Enter')
    await payer.sees('Check your phone')
    await host.ledger.decline(await submitPrompt(id), 'WRONG_PIN')
    await payer.sees('Wrong PIN')
    // The focus is at the new message.
    expect(await wordsOfFocus(payer)).toBe('Wrong PIN')
    await tabTo(payer, 'button', /Try again/)
    await keyboard.press('Space')
    await payer.sees('Check your phone')
    await pay(await submitPrompt(id))
    await payer.sees('Paid to')
    await tabTo(payer, 'button', /Stay here/)
    await keyboard.press('Enter')
    await payer.page.getByText('Taking you to').waitFor({ state: 'hidden' })
  })
})

describe('when the network is away', () => {
  test('the button retries with one key, also after a reload, and one prompt comes', async () => {
    const id = await order()
    const payer = await arrive(id)
    const keys = new Set<string | null>()
    payer.page.on('request', (request) => {
      if (request.method() === 'POST')
        keys.add(new URLSearchParams(request.postData() ?? '').get('key'))
    })
    await payer.page.context().setOffline(true)
    await payer.pay(anyPhone())
    await payer.sees('No connection. Trying again…')
    await payer.page.context().setOffline(false)
    await payer.page.reload()
    // The form still has the payer's input.
    await payer.page.getByRole('button', { name: 'Pay KES' }).click()
    await payer.sees('Check your phone')
    expect(keys.size).toBe(1)
    expect(await attemptsOf(id)).toHaveLength(1)
  })

  test('a lost answer causes no second prompt', async () => {
    const id = await order()
    const payer = await arrive(id)
    let lost = 0
    await payer.page.route('**/pay', async (route) => {
      if (lost++ > 0) return route.continue()
      await route.fetch({ maxRedirects: 0 })
      await route.abort()
    })
    await payer.pay(anyPhone())
    await payer.sees('Check your phone')
    expect(lost).toBe(2)
    expect(await attemptsOf(id)).toHaveLength(1)
  })

  test('the waiting page says so, and continues when the network is back', async () => {
    const id = await order()
    const payer = await arrive(id)
    await payer.pay(anyPhone())
    await payer.sees('Waiting for your PIN')
    await payer.page.context().setOffline(true)
    await payer.sees('This page goes on by itself')
    await pay(await submitPrompt(id))
    await payer.page.context().setOffline(false)
    await payer.sees('Paid to')
  })
})

describe('a wait', () => {
  /** Opens a page with a fake clock, at its waiting screen. */
  async function wait(): Promise<{ id: string; payer: PayerPage }> {
    const id = await order()
    await host.startPayment(id)
    const payer = await openPayerPage(browser)
    pages.push(payer)
    await payer.page.clock.install()
    await payer.open(`${host.url}/c/${id}`)
    await payer.sees('Check your phone')
    return { id, payer }
  }

  /** Counts the page's polls of the newest intent from now on. */
  async function followed(id: string, { page }: PayerPage) {
    const intentId = (await attemptsOf(id)).at(-1)?.id ?? ''
    let polls = 0
    page.on('request', (request) => {
      if (request.url().endsWith(`/public/intents/${intentId}`)) polls += 1
    })
    return { intentId, polls: () => polls }
  }

  test('of 20 seconds opens the help', async () => {
    const { payer } = await wait()
    const help = payer.page.getByText('Wake the screen')
    expect(await help.isVisible()).toBe(false)
    await payer.page.clock.fastForward(20_000)
    await help.waitFor()
  })

  test('of a minute counts down, aloud at intervals, until the prompt has expired', async () => {
    const { id, payer } = await wait()
    await submitPrompt(id)
    await payer.page.reload()
    await payer.page.clock.runFor(31_000)
    expect(await payer.page.locator('[data-announcement]').textContent()).toBe(
      'The prompt stays open for about 30 seconds.',
    )
    await payer.page.clock.runFor(31_000)
    await payer.sees('The prompt has probably closed by now')
  })

  test('through which the phone slept ends as soon as it wakes', async () => {
    const { id, payer } = await wait()
    await pay(await submitPrompt(id))
    await payer.page.clock.fastForward(60_000)
    await look(payer)
    await payer.sees('Paid to')
  })

  test('ends at once when the stream announces a change: one poll, and no timer', async () => {
    const { id, payer } = await wait()
    const { intentId, polls } = await followed(id, payer)
    const token = await submitPrompt(id)
    await payer.page.clock.pauseAt(systemClock.now() + 1_000)
    let loads = 0
    payer.page.on('request', (request) => {
      if (request.isNavigationRequest()) loads += 1
    })
    const before = polls()
    host.announce(['pi_another'])
    host.announce([intentId])
    await eventually('it asks', () => polls() > before)
    // The stream only announces a change, and the intent has not changed, so the screen stays.
    expect(await payer.page.getByText('Check your phone').isVisible()).toBe(true)
    expect([polls(), loads]).toEqual([before + 1, 0])
    await pay(token)
    host.announce([intentId])
    await payer.sees('Paid to')
  })

  test('of two minutes ends polling, and warns against paying twice; later money is still shown', async () => {
    const { id, payer } = await wait()
    const token = await submitPrompt(id)
    host.time.aheadMs = 122_000
    await payer.page.clock.runFor(122_000)
    await payer.sees('We are still checking')
    let requests = 0
    payer.page.on('request', () => (requests += 1))
    await payer.page.clock.runFor(60_000)
    expect(requests).toBe(0)
    await pay(token)
    await look(payer)
    await payer.sees('Paid to')
    host.time.aheadMs = 0
  })
})

describe('money from the menu', () => {
  test('appears on a page that shows the steps, which can be copied', async () => {
    const id = await order()
    const payer = await arrive(id)
    await payer.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await payer.page.getByText('Pay from the M-PESA menu instead').click()
    await payer.page.getByRole('button', { name: 'Copy: Business number' }).click()
    await payer.sees('Copied')
    expect(await payer.page.evaluate('navigator.clipboard.readText()')).toBe('174379')
    const { intentId } = await host.startPayment(id)
    await pay(await host.ledger.submit(intentId))
    await payer.sees('Paid to')
  })
})

describe('money without a prompt', () => {
  test('appears without a press on a page that shows a failed intent', async () => {
    const id = await order()
    await host.startPayment(id)
    await host.ledger.decline(await submitPrompt(id), 'WRONG_PIN')
    const payer = await openPayerPage(browser)
    pages.push(payer)
    await payer.page.clock.install()
    await payer.open(`${host.url}/c/${id}`)
    await payer.sees('Wrong PIN')
    await host.startPayment(id)
    await pay(await submitPrompt(id))
    await payer.page.clock.runFor(16_000)
    await payer.sees('Paid to')
  })
})

describe('without JavaScript', () => {
  const plain = { javaScriptEnabled: false }

  test('a payer reads why it failed, changes the language, pays and returns to the shop', async () => {
    const id = await order({ return_url: 'https://shop.example/thanks' })
    const payer = await arrive(id, plain)
    await payer.pay(anyPhone())
    await payer.sees('Check your phone')
    await host.ledger.decline(await submitPrompt(id), 'NO_FUNDS')
    // The page refreshes itself, without a press.
    await payer.sees('Not enough money in your M-PESA')
    await payer.page.getByRole('link', { name: 'Kiswahili' }).click()
    await payer.sees('Pesa hazitoshi kwenye M-PESA yako')
    await payer.page.getByRole('textbox').fill(anyPhone())
    await payer.page.getByRole('button', { name: 'Jaribu tena' }).click()
    await payer.sees('Angalia simu yako')
    await pay(await submitPrompt(id))
    await payer.sees('Imelipwa')
    const back = payer.page.getByRole('link', { name: 'Endelea hadi shop.example' })
    expect(await back.getAttribute('href')).toContain('https://shop.example/thanks?')
  })

  test('a payer without a prompt gets help, then the warning not to pay again, then the receipt', async () => {
    const id = await order()
    const payer = await arrive(id, plain)
    await payer.pay(anyPhone())
    await payer.sees('Check your phone')
    const token = await submitPrompt(id)
    host.time.aheadMs = 25_000
    await payer.sees('Wake the screen')
    host.time.aheadMs = 125_000
    await payer.sees('do not pay again')
    await pay(token)
    await payer.page.getByRole('link', { name: 'Check again' }).click()
    await payer.sees('Paid to')
    host.time.aheadMs = 0
  })

  test('a payer reads the steps of the menu, and checks whether the money has come', async () => {
    const id = await order()
    const payer = await arrive(id, plain)
    await payer.page.getByText('Pay from the M-PESA menu instead').click()
    const { intentId } = await host.startPayment(id, anyPhone())
    await pay(await host.ledger.submit(intentId))
    await payer.page.getByRole('link', { name: 'I have paid' }).click()
    await payer.sees('Paid to')
  })
})
