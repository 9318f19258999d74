import { randomInt } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { wrongWithScreen } from './judge-screen'

/** The payer page in a separate browser context, on a small phone screen. */
export interface PayerPage {
  readonly page: Page
  open(url: string): Promise<void>
  /** Waits until the page shows the text. */
  sees(text: string | RegExp): Promise<void>
  /** Fills in the number and presses the button. */
  pay(phone: string): Promise<void>
  /** Returns console errors, such as a blocked script, and what `judge-screen.ts` finds wrong with the screen. */
  wrongWith(): Promise<string[]>
  close(): Promise<void>
}

/**
 * How long to wait for a text. A status query that came too early is repeated after 15 seconds, on a busy machine
 * perhaps twice.
 */
const seesWithinMs = 180_000
const phone = { width: 390, height: 780 }

export async function openPayerPage(
  browser: Browser,
  { javaScriptEnabled = true }: { readonly javaScriptEnabled?: boolean } = {},
): Promise<PayerPage> {
  // Rate limits count by address, so each payer of a test run has its own. The stack trusts loopback as a proxy.
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
      await page
        .getByText(text)
        .first()
        .waitFor()
        .catch(async (error: unknown) => {
          const shown = await page.locator('body').innerText()
          throw new Error(`${String(error)}\nThe page says instead:\n${shown}`)
        })
    },
    async pay(number) {
      await page.getByRole('textbox', { name: /phone/i }).fill(number)
      await page
        .locator('[data-pay]')
        .getByRole('button', { name: /pay|again/i })
        .click()
    },
    async wrongWith() {
      return [...errors, ...(javaScriptEnabled ? await wrongWithScreen(page) : [])]
    },
    close: () => context.close(),
  }
}
