import { eventually } from '@malipo/testing/eventually'
import type { Browser } from 'playwright-core'
import type { Fixture } from './fixture'
import { type KeyboardVisitor, openKeyboardVisitor } from './keyboard-visitor'

/**
 * How long to wait for a delivery. An event whose endpoint could not be read is tried again after 30 s, and then after
 * 60 s.
 */
const postponedMs = 120_000

/** Checks the charts of the home screen: three payments, and one attempt with a wrong PIN. */
export async function seesSummary(visitor: KeyboardVisitor): Promise<void> {
  const { page } = visitor
  await page
    .getByRole('img', { name: /^Received by day: KES\s3,500\.00 from 3 payments$/ })
    .waitFor()
  await page.getByRole('img', { name: 'Attempts by day: 3 paid, 1 not paid' }).waitFor()
  await visitor.sees('75 %')
  expect(await page.getByRole('listitem').filter({ hasText: 'Wrong PIN' }).innerText()).toMatch(
    /M-PESA\s+1$/,
  )
  await visitor.press('Day by day')
  const rows = page.getByRole('table', { name: 'Payments by day' }).getByRole('row')
  expect(await rows.count()).toBe(1 + 14)
  expect(await rows.nth(1).innerText()).toMatch(/\s3\s+1\s+0\s+75 %\s+KES\s3,500\.00$/)
  await visitor.press('Day by day')
  await page.evaluate('document.activeElement.blur(); scrollTo(0, 0)')
}

/** Follows the home screen's notice of a failing webhook; returns what is wrong with the home screen. */
export async function seesWaiting(visitor: KeyboardVisitor): Promise<string[]> {
  await visitor.goTo('Home')
  // The count in the link may be 2: on a busy machine the merchant's other address may have answered its last event too
  // late.
  const waiting = visitor.page.getByRole('link', { name: /^\d webhooks? failing$/ })
  const isSeen = async () => {
    await visitor.page.reload()
    // A busy machine takes seconds to load the screen.
    return waiting.waitFor({ timeout: 10_000 }).then(
      () => true,
      () => false,
    )
  }
  await eventually('the home screen says so', isSeen, postponedMs)
  const wrong = await visitor.judge('hub-home-waiting', 'and wide')
  await visitor.press(await waiting.innerText())
  await visitor.sees('Failing')
  return wrong
}

/**
 * Aborts the request of "Create key", after which the page cannot know whether a key was made. Returns what is wrong
 * with the screen.
 */
export async function losesNewKey(visitor: KeyboardVisitor, pin: string): Promise<string[]> {
  const keys = '**/v1/hub/keys'
  // The screen may read its list at the same time, so only a POST is aborted.
  await visitor.page.route(keys, (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  )
  await visitor.press('Create key')
  await visitor.enter('PIN', pin)
  await visitor.sees('It may have made the key all the same')
  await visitor.page.unroute(keys)
  const wrong = await visitor.judge('hub-lost-key')
  await visitor.page.keyboard.press('Escape')
  return wrong
}

/** Pays a payment link by keyboard alone. */
export async function payLink(fixture: Fixture, browser: Browser, handle: string): Promise<void> {
  const payer = await openKeyboardVisitor(browser)
  await payer.open(`${fixture.stack.file.hosts.ke.base_url}/p/${handle}`)
  await payer.sees('Basket')
  await payer.type('Mobile money phone number', await fixture.simulator.addPhone('approve'))
  await payer.press('Pay')
  await payer.sees('Paid to')
  await payer.close()
}

/** Checks that a payment shows in the open list of checkouts without a press, and that the focus does not move. */
export async function seesPaymentUntouched(
  fixture: Fixture,
  { page }: KeyboardVisitor,
  createCheckout: (reference: string) => Promise<string>,
): Promise<void> {
  const link = page.getByRole('link', { name: 'order-2' })
  await link.focus()
  const checkoutId = await createCheckout('order-live')
  const row = page.getByRole('row').filter({ hasText: 'order-live' })
  await row.filter({ hasText: 'Open' }).waitFor()
  const payer = fixture.newPayer()
  const msisdn = await fixture.simulator.addPhone('approve')
  const intentId = await payer.payUntilAnswered(checkoutId, msisdn)
  expect(await payer.untilFinal(intentId, 240_000)).toBe('completed')
  await row.filter({ hasText: 'Completed' }).waitFor()
  const notice = page.getByRole('status').filter({ hasText: '1 new payment' })
  await notice.waitFor({ state: 'attached' })
  expect(await link.evaluate('document.activeElement.textContent')).toBe('order-2')
}
