import { randomInt } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { source as axe } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { repositoryDir } from '@malipo/stack/migrate'

/** The payer page in a browser of its own, on a small phone, as a person meets it. */
export interface PayerPage {
  readonly page: Page
  open(url: string): Promise<void>
  /** Waits until the page says so. */
  sees(text: string | RegExp): Promise<void>
  /** Fills in the number and presses the button. */
  pay(phone: string): Promise<void>
  /**
   * What is wrong with the screen as it stands: errors in the console (a blocked script is one), text that does not fit
   * a width of 320, and what axe finds against WCAG 2.2 AA. Keeps a picture when SCREENS=1.
   */
  wrongWith(screen: string): Promise<string[]>
  close(): Promise<void>
}

const seesWithinMs = 20_000
const small = { width: 320, height: 640 }
const phone = { width: 390, height: 780 }
const screensDir = join(repositoryDir, 'packages/e2e/screens')
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

export async function openPayerPage(
  browser: Browser,
  { javaScriptEnabled = true }: { readonly javaScriptEnabled?: boolean } = {},
): Promise<PayerPage> {
  // Limits count by address, and many people pay in one test run. The stack trusts loopback as a proxy.
  const address = `10.${[1, 2, 3].map(() => randomInt(1, 255)).join('.')}`
  const context = await browser.newContext({
    javaScriptEnabled,
    viewport: phone,
    locale: 'en-KE',
    timezoneId: 'Africa/Nairobi',
    extraHTTPHeaders: { 'x-forwarded-for': address },
  })
  context.setDefaultTimeout(seesWithinMs)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  return {
    page,
    async open(url) {
      await page.goto(url)
    },
    async sees(text) {
      await page.getByText(text).first().waitFor()
    },
    async pay(number) {
      await page.getByRole('textbox', { name: /phone/i }).fill(number)
      await page.getByRole('button', { name: /pay|again/i }).click()
    },
    async wrongWith(screen) {
      const broken = [
        ...(await tooWide(page)),
        ...(javaScriptEnabled ? await inaccessible(page) : []),
      ]
      if (process.env['SCREENS'] === '1') await picture(page, screen)
      return [...errors, ...broken]
    },
    close: () => context.close(),
  }
}

async function tooWide(page: Page): Promise<string[]> {
  await page.setViewportSize(small)
  const width = await page.evaluate('document.documentElement.scrollWidth')
  await page.setViewportSize(phone)
  return width === small.width ? [] : [`at 320 pixels the page is ${String(width)} wide`]
}

async function inaccessible(page: Page): Promise<string[]> {
  const run = `${axe}; axe.run({ runOnly: ${JSON.stringify(standards)} })`
  const { violations } = await page.evaluate<{
    violations: readonly { help: string; nodes: { html: string }[] }[]
  }>(run)
  return violations.map(({ help, nodes }) => `${help}: ${nodes.map((node) => node.html).join(' ')}`)
}

async function picture(page: Page, screen: string): Promise<void> {
  mkdirSync(screensDir, { recursive: true })
  await page.screenshot({
    path: join(screensDir, `${screen}.png`),
    fullPage: true,
    animations: 'disabled',
  })
}
