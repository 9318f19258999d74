import { openBrowser } from '@malipo/e2e/browser'
import { saveScreenshot, wrongWithScreen } from '@malipo/e2e/judge-screen'
import { amina, brian } from '../start.harness'
import { openDesk, type Desk } from './sim-page.harness'

let browser: Awaited<ReturnType<typeof openBrowser>>
let desk: Desk
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())
afterEach(async () => {
  await desk.close()
  expect(desk.problems).toEqual([])
})

/** Fills the page: a running scenario, a phone with a prompt, a paid payment, a failed one, and an open timeline. */
async function work(): Promise<void> {
  const { sim, page } = desk
  await sim.push({ AccountReference: 'PAID1' })
  await sim.control('POST', `/phones/${amina}/prompt`, { action: 'approve' })
  await sim.push({ AccountReference: 'CANCELLED1', PartyA: brian, PhoneNumber: brian })
  await sim.control('POST', `/phones/${brian}/prompt`, { action: 'cancel' })
  await sim.control('POST', '/packs/double-callback', { when: { msisdn: brian } })
  await sim.push({ AccountReference: 'RINGS1', Amount: '75' })
  await page.locator('.timeline[data-timeline="PAID1"] summary').click()
  await page.locator('.timeline[data-timeline="PAID1"] .why').waitFor()
  await page.locator('.prompt').waitFor()
}

test.each([
  ['simulator', 390, 'light'],
  ['simulator.wide', 1280, 'light'],
  ['simulator.dark', 390, 'dark'],
  ['simulator.wide.dark', 1280, 'dark'],
] as const)('the screen %s fits and is accessible', async (name, width, colorScheme) => {
  desk = await openDesk(browser, { width })
  await desk.page.emulateMedia({ colorScheme })
  await work()
  await desk.page.locator('.timeline[data-timeline="PAID1"] .exchange').first().click()
  await desk.page.locator('.wire').waitFor()
  // A sticky header would appear in the middle of a full-page screenshot.
  await desk.page.evaluate('scrollTo(0, 0)')
  await saveScreenshot(desk.page, name)
  expect(await wrongWithScreen(desk.page)).toEqual([])
})

test('states that no money moves here', async () => {
  desk = await openDesk(browser)
  expect(await desk.page.getByText('This is a simulator. No money moves here.').isVisible()).toBe(
    true,
  )
})
