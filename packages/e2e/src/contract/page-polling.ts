import { eventually } from '@malipo/testing/eventually'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../browser'
import { openPayerPage } from '../payer-page'
import type { ContractStack } from './contract-stack'
import { openShop } from './shop'

const pollPath = '/v1/payments/public/intents/'

/** Lets the page read an answer, which takes turns of its event loop and no time: its timers stand still. */
const takeTurns = `(async () => {
  for (let turns = 0; turns < 20; turns++) {
    const { port1, port2 } = new MessageChannel()
    await new Promise((done) => {
      port1.onmessage = done
      port2.postMessage('')
    })
  }
})()`

/** "Intent polling by the payer page: every 2.5 seconds, up to 2 minutes." */
export function pagePolling(given: () => ContractStack): void {
  const shop = openShop(given)
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  test('the payer page asks for the intent every 2.5 s for 2 minutes, and then no more', async () => {
    const { id, url } = await shop.checkout()
    const phone = await given().phones.ke.addPhone('ask')
    const payer = await openPayerPage(browser)
    const polls: string[] = []
    let answered = 0
    const isPoll = (request: { url(): string }) => request.url().includes(pollPath)
    payer.page.on('request', (request) => isPoll(request) && polls.push(request.url()))
    payer.page.on('requestfinished', (request) => isPoll(request) && answered++)
    payer.page.on('requestfailed', (request) => isPoll(request) && answered++)
    const allAnswered = async () => {
      await eventually('each poll is answered', () => answered === polls.length, 10_000)
      await payer.page.evaluate(takeTurns)
    }
    await payer.page.clock.install()
    await payer.open(url)
    await payer.pay(phone)
    await eventually('the page polls', () => polls.length > 0, 30_000)
    const { json } = await shop.read(id)
    const { intent_id: intentId } = json.data?.['checkout'] as { intent_id: string }
    // The page's own clock is driven, so that two minutes take seconds; each poll is answered by the real service.
    await payer.page.clock.pauseAt(new Date(Date.now() + 60_000))
    await allAnswered()
    const before = polls.length
    for (let step = 1; step <= 10; step++) {
      await payer.page.clock.runFor(2_500)
      await allAnswered()
      expect(polls).toHaveLength(before + step)
    }
    expect(new Set(polls.map((poll) => new URL(poll).pathname))).toEqual(
      new Set([pollPath + intentId]),
    )
    await payer.page.clock.runFor(120_000)
    const settled = polls.length
    await payer.page.clock.runFor(60_000)
    await allAnswered()
    expect(polls).toHaveLength(settled)
    expect(settled).toBeLessThanOrEqual(50)
    await payer.close()
    await given().phones.ke.answer(phone, 'approve')
    await eventually(
      'it completes',
      async () => (await shop.view(id))['status'] === 'completed',
      60_000,
      500,
    )
  })
}
