import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { saveScreenshot, wrongWithScreen } from './judge-screen'

/** A visitor of the account hub with a keyboard, a screen of 320 pixels, and no mouse. */
export interface KeyboardVisitor {
  readonly page: Page
  open(url: string): Promise<void>
  /** Waits until the page shows the text. */
  sees(text: string | RegExp): Promise<void>
  /** Tabs to the field with this label, and types into it. */
  type(label: string, text: string): Promise<void>
  /** Tabs to the button or link with this name, and presses Enter. */
  press(name: string): Promise<void>
  /** Tabs to the field with this label, types into it, and presses Enter. */
  enter(label: string, text: string): Promise<void>
  /** Opens the menu and goes to one of its screens. */
  goTo(section: string): Promise<void>
  /**
   * Returns what is wrong with the current screen, and browser errors since the last call; keeps a picture, and with
   * 'and wide' a second one of a wide screen.
   */
  judge(picture: string, wide?: 'and wide'): Promise<string[]>
  /** Returns the text of the table row that contains `text`. */
  rowOf(text: string): Promise<string>
  /** Follows a link that saves a file, and reads the file. */
  download(name: string): Promise<string>
  close(): Promise<void>
}

const small = { width: 320, height: 640 }
const large = { width: 1280, height: 1000 }
const seesWithinMs = 180_000
/** The most presses of Tab in a search: more than any screen has elements to stop at. */
const tabsMax = 80

/** What the element with the focus is called, as a screen reader would say it. */
const nameOfFocus = `(() => {
  const focused = document.activeElement
  const label = focused?.labels?.[0]?.textContent
  return (focused?.getAttribute('aria-label') ?? label ?? focused?.textContent ?? '').trim()
})()`

export async function openKeyboardVisitor(browser: Browser): Promise<KeyboardVisitor> {
  const context = await browser.newContext({ viewport: small, locale: 'en-KE' })
  context.setDefaultTimeout(seesWithinMs)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => {
    // The browser logs the 401 of a visitor who is not signed in; a blocked script or style is an error.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      errors.push(message.text())
    }
  })
  page.on('pageerror', (error) => errors.push(error.message))
  const tabTo = async (name: string) => {
    for (let tabs = 0; tabs < tabsMax; tabs += 1) {
      if ((await page.evaluate<string>(nameOfFocus)) === name) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab does not lead to "${name}": ${await page.innerText('body')}`)
  }
  /** Waits until the element exists, because its screen may still be loading, and tabs to it. */
  const whenThere = async (name: string) => {
    await page
      .getByText(name, { exact: true })
      .or(page.getByLabel(name, { exact: true }))
      .first()
      .waitFor()
    await tabTo(name)
  }
  const press = async (name: string) => {
    await whenThere(name)
    await page.keyboard.press('Enter')
  }
  const type = async (label: string, text: string) => {
    await whenThere(label)
    await page.keyboard.type(text)
  }
  return {
    page,
    async open(url) {
      await page.goto(url)
    },
    sees: (text) => page.getByText(text).first().waitFor(),
    type,
    press,
    async enter(label, text) {
      await type(label, text)
      await page.keyboard.press('Enter')
    },
    download: (name) => textOfDownload(page, press(name)),
    async goTo(section) {
      await press('Menu')
      await press(section)
      await page.getByRole('heading', { level: 1, name: section }).waitFor()
    },
    async judge(picture, wide) {
      await saveScreenshot(page, picture)
      if (wide !== undefined) {
        await page.setViewportSize(large)
        await saveScreenshot(page, `${picture}.wide`)
        await page.setViewportSize(small)
      }
      const wrong = [...errors.splice(0), ...(await wrongWithScreen(page))]
      await page.setViewportSize(small)
      return wrong.map((what) => `${picture}: ${what}`)
    },
    rowOf: (text) => page.getByRole('row').filter({ hasText: text }).innerText(),
    close: () => context.close(),
  }
}

async function textOfDownload(page: Page, request: Promise<void>): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), request])
  return readFileSync(await file.path(), 'utf8')
}
