import { saveScreenshot, wrongWithScreen } from '@malipo/e2e/judge-screen'
import type { Browser, Page } from 'playwright-core'

/** An operator at their own browser, with a key that never leaves it. */
export interface OperatorBrowser {
  readonly page: Page
  /** Makes a key and signs in; returns the line with which others enrol it, or undefined when it is enrolled. */
  makeKey(name: string): Promise<string | undefined>
  signIn(): Promise<void>
  open(path: string): Promise<void>
  /** Fills in the form with this heading and signs the act. Returns the notice that the console shows then. */
  act(title: RegExp, filled: Readonly<Record<string, string>>, button: string): Promise<string>
  /** Waits until the page has this text. */
  sees(text: string | RegExp): Promise<void>
  /** Saves screenshots, and returns what is wrong with the screen. */
  judge(name: string): Promise<string[]>
  close(): Promise<void>
}

const deadlineMs = 180_000

export async function openOperatorBrowser(browser: Browser, url: string): Promise<OperatorBrowser> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } })
  context.setDefaultTimeout(deadlineMs)
  const page = await context.newPage()
  const notice = () => page.locator('[data-notice]:visible, [data-refusal]:visible').first()
  return {
    page,
    async makeKey(name) {
      await page.goto(`${url}/sign-in`)
      await page.getByLabel('Your name as an operator').fill(name)
      await page.getByRole('button', { name: 'Make a key' }).click()
      const heading = page.getByRole('heading', { name: /^Queue$|not enrolled yet/ })
      await heading.waitFor()
      if ((await heading.innerText()) === 'Queue') return undefined
      return page.locator('[data-enrolment]').innerText()
    },
    async signIn() {
      await page.goto(`${url}/sign-in`)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Queue' }).waitFor()
    },
    async open(path) {
      await page.goto(`${url}${path}`)
    },
    async act(title, filled, button) {
      const form = page.getByRole('form', { name: title })
      for (const [label, value] of Object.entries(filled)) {
        const field = form.getByLabel(label)
        if ((await field.getAttribute('type')) === 'radio') await field.check()
        else await field.fill(value)
      }
      await form.getByRole('button', { name: button }).click()
      const sign = page.getByRole('button', { name: 'Sign', exact: true })
      await sign.or(notice()).first().waitFor()
      if (await sign.isVisible()) await sign.click()
      await notice().waitFor()
      return notice().innerText()
    },
    async sees(text) {
      await page.getByText(text).first().waitFor()
    },
    async judge(name) {
      await page.setViewportSize({ width: 1_280, height: 900 })
      await saveScreenshot(page, `console-${name}.wide`)
      await page.setViewportSize({ width: 320, height: 640 })
      await saveScreenshot(page, `console-${name}.320`)
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize({ width: 1_280, height: 900 })
      await saveScreenshot(page, `console-${name}.dark`)
      const wrong = await wrongWithScreen(page)
      await page.setViewportSize({ width: 1_280, height: 900 })
      return wrong.map((what) => `${name}: ${what}`)
    },
    close: () => context.close(),
  }
}
