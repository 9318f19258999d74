import { openBrowser } from '@malipo/e2e/browser'
import { wrongWithScreen } from '@malipo/e2e/judge-screen'
import { openPayerPage, type PayerPage } from '@malipo/e2e/payer-page'
import { eventually } from '@malipo/testing/eventually'
import type { Browser, Route } from 'playwright-core'
import { anyPhone, type RunningHost, startHost } from '../start.harness'

let host: RunningHost
let browser: Browser

beforeAll(async () => {
  host = await startHost({ businessNumber: '174379' })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await host.stop()
})

/** Opens a link. `press` fills in the form and presses its button, each time with the same input. */
async function openLink() {
  const link = await host.link(await host.merchant())
  const url = `${host.url}/p/${link.handle}`
  const attempts = async () =>
    (await host.rows(
      `SELECT id FROM intents WHERE handle = '${link.handle}' ORDER BY created_at`,
    )) as readonly { readonly id: string }[]
  const payer = await openPayerPage(browser)
  await payer.page.clock.install()
  await payer.open(url)
  const phone = anyPhone()
  const press = async () => {
    await payer.page.getByRole('textbox', { name: /Amount/ }).fill('200')
    await payer.pay(phone)
  }
  return { link, url, payer, phone, press, attempts }
}

/** Begins a payment of a link by a press whose answers are lost. */
async function beginUnanswered() {
  const { payer, press, attempts, ...opened } = await openLink()
  await payer.page.route('**/pay', async (route) => {
    const headers = { ...(await route.request().allHeaders()), origin: 'null' }
    await route.fetch({ headers, maxRedirects: 0 })
    await route.abort()
  })
  await press()
  const intentId = await eventually('the payment has begun', async () => (await attempts())[0]?.id)
  return { ...opened, payer, press, attempts, attempt: await host.ledger.submit(intentId) }
}

/** Begins a payment of a link by a press whose answers are lost, and approves its prompt. */
async function payUnanswered() {
  const { attempt, ...begun } = await beginUnanswered()
  await host.ledger.pay(attempt, 20_000n)
  return begun
}

test('a press a day after a lost answer begins a new payment of the handle, and not the paid one', async () => {
  const { payer, press, attempts } = await payUnanswered()
  await payer.page.unrouteAll({ behavior: 'ignoreErrors' })
  await payer.page.reload()
  await payer.page.clock.fastForward(86_400_000)
  await press()
  await payer.sees('Check your phone')
  expect(await attempts()).toHaveLength(2)
  await payer.close()
})

test('a press after two minutes of lost answers shows the prompt that it began, and begins no other', async () => {
  const { payer, press, attempts } = await beginUnanswered()
  await payer.page.clock.fastForward(121_000)
  await payer.sees('No answer has come')
  await payer.page.unrouteAll({ behavior: 'ignoreErrors' })
  await press()
  await payer.sees('Check your phone')
  expect(await attempts()).toHaveLength(1)
  await payer.close()
})

test('a press eleven minutes after lost answers is a new payment, without a reload too', async () => {
  const { payer, press, attempts } = await payUnanswered()
  await payer.page.clock.fastForward(660_000)
  await payer.page.getByRole('button', { name: 'Pay', exact: true }).waitFor()
  await payer.page.unrouteAll({ behavior: 'ignoreErrors' })
  await press()
  await payer.sees('Check your phone')
  expect(await attempts()).toHaveLength(2)
  await payer.close()
})

test('a press again with the phone and the amount in other digits shows the prompt that it began', async () => {
  const { payer, phone, attempts } = await beginUnanswered()
  await payer.page.clock.fastForward(121_000)
  await payer.sees('No answer has come')
  await payer.page.unrouteAll({ behavior: 'ignoreErrors' })
  await payer.page.getByRole('textbox', { name: /Amount/ }).fill('200.00')
  await payer.pay(`0${phone.slice(3, 6)} ${phone.slice(6)}`)
  await payer.sees('Check your phone')
  expect(await attempts()).toHaveLength(1)
  await payer.close()
})

test('a number that is corrected while its press has no answer is not sent again', async () => {
  const { payer } = await beginUnanswered()
  const sent: unknown[] = []
  payer.page.on('request', (request) => request.url().endsWith('/pay') && sent.push(request))
  await payer.page.getByRole('textbox', { name: /phone/ }).fill('0712345678')
  await payer.page.clock.fastForward(10_000)
  await payer.sees('No answer has come')
  await payer.sees('If you entered your PIN, do not pay again.')
  expect(sent).toEqual([])
  await payer.close()
})

describe('a press whose prompt came without an answer, and which is then refused, says not to pay again', () => {
  const warning = 'If you entered your PIN, do not pay again.'

  test('over the limit of its address', async () => {
    const { url, payer, attempts } = await beginUnanswered()
    const sent = await payer.page.waitForRequest('**/pay')
    const again = {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      data: sent.postData(),
      maxRedirects: 0,
    }
    for (let request = 0; request < 30; request += 1)
      await payer.page.request.post(`${url}/pay`, again)
    await payer.page.unrouteAll({ behavior: 'ignoreErrors' })
    await payer.sees('Too many tries')
    expect(await payer.page.getByText(warning).count()).toBe(1)
    expect(await wrongWithScreen(payer.page)).toEqual([])
    expect(await attempts()).toHaveLength(1)
    await payer.close()
  })

  test('after its link was closed', async () => {
    const { link, payer } = await beginUnanswered()
    await link.close()
    await payer.page.unrouteAll({ behavior: 'ignoreErrors' })
    await payer.sees('There is no such payment page')
    await payer.sees(warning)
    await payer.close()
  })

  test('after its link was closed, by a press two minutes later', async () => {
    const { link, payer, press } = await beginUnanswered()
    await payer.page.clock.fastForward(121_000)
    await payer.sees('No answer has come')
    await link.close()
    await payer.page.unrouteAll({ behavior: 'ignoreErrors' })
    await press()
    await payer.sees('There is no such payment page')
    await payer.sees(warning)
    await payer.close()
  })
})

describe('a press that is answered, and whose page never comes, has begun the only payment', () => {
  /** Presses, and stops the next page from loading, as a payer may in the browser. */
  async function pressAndStop() {
    const opened = await openLink()
    const { payer, press, attempts } = opened
    const stopped = new Promise((resolve) => {
      payer.page.on('requestfailed', (request) => {
        if (request.isNavigationRequest()) resolve(true)
      })
    })
    await payer.page.route('**/p/*/pi_*', (route) => route.abort('aborted'), { times: 1 })
    await press()
    await stopped
    expect(await attempts()).toHaveLength(1)
    return opened
  }

  test('whatever is pressed again', async () => {
    const { payer, press, attempts } = await pressAndStop()
    await payer.page.clock.fastForward(15_000)
    await press()
    await payer.sees('Check your phone')
    expect(await attempts()).toHaveLength(1)
    await payer.close()
  })

  test('also when the link is opened again', async () => {
    const { url, payer, press, attempts } = await pressAndStop()
    await payer.open(url)
    await press()
    await payer.sees('Check your phone')
    expect(await attempts()).toHaveLength(1)
    await payer.close()
  })
})

test('a press whose key has begun another payment is a new one when it is pressed again, also after a lost answer', async () => {
  const { link, payer, press, attempts } = await openLink()
  const key = await payer.page.locator('[name=key]').inputValue()
  await host.ask('/v1/payments/public/checkout', {
    headers: { 'idempotency-key': key },
    body: { handle: link.handle, amount: '10000', phone: anyPhone() },
  })
  await payer.page.route('**/pay', (route) => route.abort(), { times: 1 })
  const lost = payer.page.waitForEvent('requestfailed')
  await press()
  await lost
  await payer.page.clock.fastForward(10_000)
  await payer.sees('You have begun another payment here')
  await payer.sees('If you entered your PIN, do not pay again.')
  await press()
  await payer.sees('Check your phone')
  expect(await attempts()).toHaveLength(2)
  await payer.close()
})

test('a press while the page moves on to late money begins no other payment', async () => {
  const { payer, press, attempts } = await openLink()
  const { page } = payer
  await press()
  await payer.sees('Check your phone')
  const [begun] = await attempts()
  const attempt = await host.ledger.submit(begun?.id ?? '')
  await host.ledger.decline(attempt, 'CANCELLED')
  await page.getByRole('textbox', { name: /phone/ }).focus()
  const held = new Promise<Route>((resolve) => {
    void page.route('**/p/*/pi_*', resolve, { times: 1 })
  })
  await host.ledger.pay(attempt, 20_000n)
  await page.clock.fastForward(15_000)
  await held
  await page.keyboard.press('Enter')
  await payer.sees('Paid to')
  expect(await attempts()).toHaveLength(1)
  await payer.close()
})

test('a second press while the next page is on its way leaves a later payment its own key', async () => {
  const { url, payer, press, attempts } = await openLink()
  const { page } = payer
  const held = new Promise<Route>((resolve) => {
    void page.route('**/p/*/pi_*', resolve, { times: 1 })
  })
  // A click resolves only when the navigation that it leads to has ended.
  const pressed = press()
  const nextPage = await held
  // The answer of a second press dies with the page.
  await page.route('**/pay', () => undefined)
  await page.keyboard.press('Enter')
  await nextPage.continue()
  await pressed
  await payer.sees('Check your phone')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  const [begun] = await attempts()
  await host.ledger.pay(await host.ledger.submit(begun?.id ?? ''), 20_000n)
  await payer.sees('Paid to')
  await payer.open(url)
  await press()
  await payer.sees('Check your phone')
  expect(await attempts()).toHaveLength(2)
  await payer.close()
})

describe('the phone that a payer wrote', () => {
  const phoneIn = ({ page }: PayerPage) => page.getByRole('textbox', { name: /phone/ }).inputValue()

  test('is not shown to the next payer in the same tab, once it has paid', async () => {
    const { url, payer, press, attempts } = await openLink()
    await press()
    await payer.sees('Check your phone')
    const [begun] = await attempts()
    await host.ledger.pay(await host.ledger.submit(begun?.id ?? ''), 20_000n)
    await payer.sees('Paid to')
    await payer.open(url)
    expect(await phoneIn(payer)).toBe('')
    await payer.close()
  })

  test('is filled in again for ten minutes, as long as its key is kept', async () => {
    const { url, payer, press } = await openLink()
    await press()
    await payer.sees('Check your phone')
    await payer.open(url)
    expect(await phoneIn(payer)).toMatch(/^254/)
    await payer.page.clock.fastForward(600_000)
    await payer.page.reload()
    expect(await phoneIn(payer)).toBe('')
    await payer.close()
  })
})
