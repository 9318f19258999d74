import { openBrowser } from '@malipo/e2e/browser'
import { openPayerPage } from '@malipo/e2e/payer-page'
import { eventually } from '@malipo/testing/eventually'
import type { Browser } from 'playwright-core'
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

/** Opens a link, and begins a payment by a press whose answers are lost. `press` presses again with the same input. */
async function beginUnanswered() {
  const { handle } = await host.link(await host.merchant())
  const attempts = async () =>
    (await host.rows(
      `SELECT id FROM intents WHERE handle = '${handle}' ORDER BY created_at`,
    )) as readonly { readonly id: string }[]
  const payer = await openPayerPage(browser)
  await payer.page.clock.install()
  await payer.open(`${host.url}/p/${handle}`)
  const phone = anyPhone()
  const press = async () => {
    await payer.page.getByRole('textbox', { name: /Amount/ }).fill('200')
    await payer.pay(phone)
  }

  await payer.page.route('**/pay', async (route) => {
    const headers = { ...(await route.request().allHeaders()), origin: 'null' }
    await route.fetch({ headers, maxRedirects: 0 })
    await route.abort()
  })
  await press()
  const intentId = await eventually('the payment has begun', async () => (await attempts())[0]?.id)
  return { payer, press, attempts, attempt: await host.ledger.submit(intentId) }
}

/** The same, and the payer has approved the prompt. */
async function payUnanswered() {
  const { attempt, ...begun } = await beginUnanswered()
  await host.ledger.pay(attempt, 20_000n)
  return begun
}

test('a press a day after a lost answer is a new payment of the handle, and not the paid one of then', async () => {
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
