import type { Browser } from 'playwright-core'
import { eventually } from '@malipo/testing/eventually'
import { wrongAbout } from './books'
import { openBrowser } from './browser'
import { builtCli, openCli } from './cli'
import { type Fixture, openFixture } from './fixture'
import { openPayerPage } from './payer-page'

/** A checkout lives eight seconds, and an attempt waits three seconds for the provider. */
const hurried = {
  CHECKOUT_LIFE_SECONDS: '8',
  INTENT_START_SECONDS: '3',
  INTENT_DEADLINE_SECONDS: '3',
  QUERY_AFTER_SECONDS: '2',
}

describe('after a deadline', () => {
  let fixture: Fixture
  let browser: Browser

  beforeAll(async () => {
    fixture = await openFixture(hurried)
    browser = await openBrowser()
  })

  afterAll(async () => {
    await fixture.close()
    await browser.close()
  })

  const isExpired = async (id: string) =>
    (await fixture.merchant.readCheckout(id)).status === 'expired'

  test('an unpaid checkout expires, and its page and the API refuse to take money', async () => {
    const triggered = openCli(builtCli, fixture.stack.file).run(['trigger', 'expired'])
    const { id, url } = await fixture.merchant.createCheckout({ amount: 5_000 })
    await eventually('the checkout expires', () => isExpired(id), 60_000, 500)
    const { exitCode, stdout } = await triggered
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { status: 'expired' }])
    const payer = await openPayerPage(browser)
    await payer.open(url)
    await payer.sees('This payment page has expired')
    expect(await payer.wrongWith()).toEqual([])
    await payer.close()
    const refused = await fixture.newPayer().pay(id, await fixture.simulator.addPhone('approve'))
    expect(refused).toMatchObject({ status: 409, body: { ok: false, code: 2784 } })
  })

  test('an ignored prompt expires, and the page says that money may still arrive', async () => {
    const { id, url } = await fixture.merchant.createCheckout({ amount: 5_000 })
    const msisdn = await fixture.simulator.addPhone('ignore')
    const payer = await openPayerPage(browser)
    await payer.open(url)
    await payer.pay(msisdn)
    // On a slow machine the checkout may have expired too when the page reads it; the page then says the same in other
    // words.
    await payer.sees(/We are still checking|it is still being checked/)
    // The page moves on when the checkout expires, so it is judged after that.
    await eventually('the checkout expires', () => isExpired(id), 60_000, 500)
    await payer.open(url)
    await payer.sees('it is still being checked')
    expect(await payer.wrongWith()).toEqual([])
    await payer.close()
    const checkout = await fixture.merchant.readCheckout(id)
    expect(checkout.payment?.status).toBe('expired')
    expect(await wrongAbout(fixture, { checkout, intentStatus: 'expired', msisdn })).toEqual([])
  })

  test('money that arrives after the prompt and the checkout have expired completes the checkout, and is posted once', async () => {
    const { id } = await fixture.merchant.createCheckout({ amount: 5_000 })
    const msisdn = await fixture.simulator.addPhone('approve')
    const lateBy = { kind: 'delay', ms: 12_000 } as const
    await fixture.simulator.addRule({ on: 'callback', when: { msisdn }, effect: lateBy })
    await fixture.simulator.addRule({ on: 'query', when: { msisdn }, effect: { kind: 'drop' } })
    const payer = fixture.newPayer()
    const intentId = await payer.payUntilAnswered(id, msisdn)
    expect(await payer.untilFinal(intentId, 240_000)).toBe('expired')
    await eventually('the checkout expires', () => isExpired(id), 60_000, 500)
    const checkout = await eventually(
      'the checkout is completed',
      async () => {
        const read = await fixture.merchant.readCheckout(id)
        return read.status === 'completed' && read
      },
      240_000,
      500,
    )
    expect(await wrongAbout(fixture, { checkout, intentStatus: 'completed', msisdn })).toEqual([])
  })
})
