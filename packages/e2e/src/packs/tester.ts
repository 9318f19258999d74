import { randomInt } from 'node:crypto'
import { eventually } from '@malipo/testing/eventually'
import type { Browser, Locator, Page } from 'playwright-core'
import type { Checkout } from '../merchant'
import { openPayerPage, type PayerPage } from '../payer-page'

/**
 * Plays a tester who has never seen the simulator, with two browser windows: one has a page of the simulator, the other
 * the checkout. The tester relies only on what the pages show.
 */
export interface Tester {
  /** Presses the story and “Add a phone”. The new phone pays. */
  choose(story: string): Promise<void>
  /** Opens the checkout's page. */
  arrive(checkout: Checkout): Promise<void>
  /** Types the number and presses the button of the checkout's page. */
  pay(): Promise<void>
  /** Waits until the checkout's page shows the text. */
  reads(text: RegExp): Promise<void>
  openSecondTab(): Promise<void>
  payInSecondTab(): Promise<void>
  readsInSecondTab(text: RegExp): Promise<void>
  /** Waits until the simulator shows that the event `what` comes next, and presses “Next event now”. */
  pressNext(what: RegExp): Promise<void>
  /** Presses “I have paid: check now” until the page says that the checkout is paid. */
  checksThePage(): Promise<void>
  /** Waits until the newest payment's timeline has this explanation. */
  finds(why: RegExp): Promise<void>
  /** Presses “Reset, new seed”. Returns the seed. */
  resetSeed(): Promise<string>
  /** Waits for the badge of the newest payment. */
  seesBadge(badge: RegExp): Promise<void>
  /** Opens the newest payment in the inspector, waits for the badge and the sentences, and returns them. */
  inspect(badge: RegExp, why: readonly RegExp[]): Promise<Finding>
  /** Keeps a picture of both windows, when pictures are kept. */
  picture(name: string): Promise<void>
  leave(): Promise<void>
}

export interface Finding {
  readonly badge: string
  /** The sentences that explain the end. */
  readonly why: readonly string[]
}

export interface Windows {
  readonly browser: Browser
  readonly simulatorUrl: string
  readonly picturesDir: string | undefined
  /** Payers have phones of Airtel in Uganda; the button of the page adds Kenyan ones. */
  readonly isAirtel?: boolean
}

const desktop = { width: 1366, height: 900 }
/** How long a tester waits for something on a page; the whole story has a minute. */
const patienceMs = 60_000

export async function openTester(windows: Windows): Promise<Tester> {
  const { browser } = windows
  const context = await browser.newContext({ viewport: desktop })
  context.setDefaultTimeout(patienceMs)
  const desk = await context.newPage()
  await desk.goto(windows.simulatorUrl)
  const tabs: PayerPage[] = []
  let url = ''
  let phone = ''
  const tab = (index: number): PayerPage => {
    const found = tabs[index]
    if (found === undefined) throw new Error('No such tab was opened')
    return found
  }
  const openTab = async () => {
    const opened = await openPayerPage(browser)
    opened.page.setDefaultTimeout(patienceMs)
    tabs.push(opened)
    await opened.open(url)
  }
  /** The newest timeline of the phone that pays, found by its number. */
  const newest = () => desk.locator('.timeline', { hasText: phone }).first()
  return {
    async choose(story) {
      await desk.locator('summary', { hasText: 'Stories' }).click()
      await desk.getByRole('button', { name: story, exact: true }).click()
      await desk.locator('.playing', { hasText: story }).waitFor()
      phone = windows.isAirtel ? await addAirtelPhone(windows) : await addPhone(desk, phone)
    },
    async arrive(checkout) {
      url = checkout.url
      await Promise.all(tabs.splice(0).map((old) => old.close()))
      await openTab()
    },
    pay: () => tab(0).pay(phone),
    reads: (text) => tab(0).sees(text),
    openSecondTab: openTab,
    payInSecondTab: () => tab(1).pay(phone),
    readsInSecondTab: (text) => tab(1).sees(text),
    async pressNext(what) {
      await desk.locator('.next', { hasText: what }).waitFor()
      await desk.getByRole('button', { name: 'Next event now' }).click()
    },
    resetSeed: () => resetSeed(desk),
    async seesBadge(badge) {
      await newest().locator('.badge', { hasText: badge }).waitFor()
    },
    async checksThePage() {
      await eventually('the page says paid', () => checkPage(tab(0).page), patienceMs, 500)
    },
    async finds(why) {
      await open(newest())
      await newest().locator('.why li').filter({ hasText: why }).first().waitFor()
    },
    inspect: (badge, why) => inspect(newest(), badge, why),
    async picture(name) {
      if (windows.picturesDir === undefined) return
      const path = `${windows.picturesDir}/${name}`
      await desk.screenshot({ path: `${path}.simulator.png` })
      await tabs[0]?.page.screenshot({ path: `${path}.payer.png` })
    },
    async leave() {
      await Promise.all(tabs.map((old) => old.close()))
      await context.close()
    },
  }
}

async function resetSeed(desk: Page): Promise<string> {
  const seed = desk.locator('.facts code')
  const before = await seed.innerText()
  await desk.getByRole('button', { name: 'Reset, new seed' }).click()
  await seed.filter({ hasNotText: before }).waitFor()
  return seed.innerText()
}

/** Returns whether the page shows the checkout as paid. If not, opens the menu or presses “I have paid”. */
async function checkPage(page: Page): Promise<boolean> {
  if (await page.getByText('Paid to').isVisible()) return true
  const check = page.getByRole('link', { name: 'I have paid' })
  const menu = page.locator('summary', { hasText: 'menu' })
  // A failed click is ignored, because the page may have changed by itself since it was looked at.
  for (const target of [menu, check])
    if (await target.isVisible()) await target.click({ timeout: 1_000 }).catch(() => undefined)
  return false
}

async function open(timeline: Locator): Promise<void> {
  if ((await timeline.getAttribute('open')) === null) await timeline.locator('summary').click()
}

/** Returns the number of the new phone, as the page says it. */
async function addPhone(desk: Page, last: string): Promise<string> {
  await desk.getByRole('button', { name: 'Add a phone' }).click()
  const notice = desk
    .getByRole('status')
    .filter({ hasText: 'has the number', hasNotText: last || '?' })
  await notice.waitFor()
  return /\d{12}/.exec(await notice.innerText())?.[0] ?? ''
}

async function addAirtelPhone({ simulatorUrl }: Windows): Promise<string> {
  const msisdn = `25675${String(randomInt(2_000_000, 9_999_999))}`
  const added = await fetch(new URL('/sim/v1/phones', simulatorUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ msisdn, name: 'Payer' }),
  })
  if (!added.ok) throw new Error(await added.text())
  return msisdn
}

async function inspect(timeline: Locator, badge: RegExp, why: readonly RegExp[]): Promise<Finding> {
  await open(timeline)
  await timeline.locator('.badge', { hasText: badge }).waitFor()
  const sentences = timeline.locator('.why li')
  for (const sentence of why) await sentences.filter({ hasText: sentence }).first().waitFor()
  const read = await sentences.allInnerTexts()
  return {
    badge: await timeline.locator('.badge').innerText(),
    why: read.filter((text) => why.some((sentence) => sentence.test(text))),
  }
}
