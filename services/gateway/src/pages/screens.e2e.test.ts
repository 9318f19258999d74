import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openBench } from '@malipo/e2e/bench'
import { openBrowser } from '@malipo/e2e/browser'
import { askLighthouse } from '@malipo/e2e/lighthouse'
import { saveScreenshot } from '@malipo/e2e/judge-screen'
import { eventually } from '@malipo/testing/eventually'
import { openPiecewise } from './piecewise.harness'
import { tooHeavy, tooSmallForAThumb } from './screen-fitness.harness'
import { openScreens, type Screens } from './screens.harness'
import type { ShownScreen } from './shop.harness'
import { dictionaries } from './texts/choose-texts'
import type { Language } from './texts/texts'

const computer = { width: 1_280, height: 800 }

let browser: Browser
let all: Screens

beforeAll(async () => {
  browser = await openBrowser()
  all = await openScreens()
})
afterAll(async () => {
  await browser.close()
  await all.stop()
})

/** One documentation page of each kind: text, code, wide tables, the whole interface, an error, a form. */
const documented = [
  '/docs',
  '/docs/quickstart',
  '/docs/testing',
  '/docs/reference',
  '/docs/errors/2784',
  '/docs/search?q=wait',
]

async function openPage(): Promise<{ context: BrowserContext; page: Page; errors: string[] }> {
  const context = await browser.newContext({ viewport: { width: 390, height: 780 } })
  await context.addInitScript(watchJumps)
  // The page redirects a paid payer to the shop after a while: a 204 keeps the browser on the page.
  await context.route(/^https:\/\/[^/]+\.example\//, (route) => route.fulfill({ status: 204 }))
  const page = await context.newPage()
  const errors: string[] = []
  // The console shows an error for a script or style that the policy blocks.
  page.on('console', (message) => {
    const isAnswer = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isAnswer) errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  return { context, page, errors }
}

/** Sums in `jumped` the layout shifts of each page that no input caused. */
const watchJumps = `globalThis.jumped = 0
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) jumped += value
}).observe({ type: 'layout-shift', buffered: true })`

/** The texts and colours that show whether language and theme changed. */
const changed = [
  'start',
  'waiting',
  'failed-no-funds',
  'failed-three-times',
  'paid',
  'handle',
  'too-many',
  'not-found',
  'broken',
]

async function saveScreenshots(page: Page, name: string, lang: Language): Promise<void> {
  if (lang === 'en') await saveScreenshot(page, name)
  if (!changed.includes(name)) return
  if (lang !== 'en') return saveScreenshot(page, `${name}.${lang}`)
  await page.emulateMedia({ colorScheme: 'dark' })
  await saveScreenshot(page, `${name}.dark`)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** A browser in one language, and the problems of each screen in it. */
async function openReader(lang: Language) {
  const { context, page, errors } = await openPage()
  const bench = await openBench(browser)
  return {
    async wrongWith({ name, open }: ShownScreen): Promise<string[]> {
      await open(page, lang)
      const shown = await contentOf(page)
      // Read before the help of a prompt opens by itself, which moves what is below it.
      const [jumped, readIn, standing] = await page.evaluate<[number, string, string]>(
        `[jumped, document.documentElement.lang, document.querySelector('main').dataset.screen]`,
      )
      const found = [
        ...(await tooHeavy(page, shown)),
        ...(await tooSmallForAThumb(page)),
        // The languages have their colours in common.
        ...(await bench.wrongWith(shown, lang === 'en')),
        ...errors.splice(0),
      ]
      const [called = standing] = /waiting|unconfirmed|failed|paid|expired/.exec(name) ?? []
      if (standing !== called) found.push(`shows ${standing}`)
      if (jumped > 0) found.push(`jumps by ${String(jumped)}`)
      if (readIn !== lang) found.push(`is in ${readIn}`)
      await saveScreenshots(page, name, lang)
      return found.map((what) => `${name}, ${lang}: ${what}`)
    },
    async close() {
      await Promise.all([context.close(), bench.close()])
    },
  }
}

test('every screen in every language is small, fits a small phone and large text, has no layout shift, and passes axe in both themes', async () => {
  const languages = Object.values(dictionaries).map(({ lang }) => lang)
  const readers = await Promise.all(languages.map(openReader))
  const wrong: string[] = []
  for (const shown of all.screens) {
    await shown.prepare()
    const found = await Promise.all(readers.map((reader) => reader.wrongWith(shown)))
    wrong.push(...found.flat())
  }
  expect(wrong).toEqual([])
  await Promise.all(readers.map((reader) => reader.close()))
})

test('a page that loads in pieces has no layout shift, on a phone and on a computer', async () => {
  const { context, page, errors } = await openPage()
  const jumped: Record<string, number> = {}
  const judge = async (name: string, url = `${screen(name).url}?lang=lg`) => {
    await openPiecewise(page, url)
    const sum = await page.evaluate<number>('jumped')
    if (sum > 0) jumped[name] = sum
  }
  await judge('failed-three-times')
  await judge('paid')
  await page.setViewportSize(computer)
  await judge('start')
  await judge('documentation', docsUrl('/docs/errors/2784'))
  await page.setViewportSize({ width: 390, height: 780 })
  await judge('search of the documentation', docsUrl('/docs/search?q=wait'))
  expect(jumped).toEqual({})
  expect(errors).toEqual([])
  await context.close()
})

test('Lighthouse finds no fault of accessibility and of practice on a phone', async () => {
  const { scores, imperfect } = await askLighthouse(screen('start-card').url, [
    'accessibility',
    'best-practices',
  ])
  expect({ scores, imperfect }).toEqual({
    scores: { accessibility: 100, 'best-practices': 100 },
    imperfect: [],
  })
})

test('a computer shows the QR code, and paper only the receipt', async () => {
  const { context, page, errors } = await openPage()
  await page.setViewportSize(computer)
  await show('start', page, 'en')
  await expect(page.evaluate("document.querySelector('.scan img').decode()")).resolves.not.toThrow()
  await saveScreenshot(page, 'start.wide')
  await show('paid', page, 'en')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  expect(await page.locator('.button, .languages').first().isVisible()).toBe(false)
  await saveScreenshot(page, 'paid.print')
  expect(errors).toEqual([])
  await context.close()
})

test('the documentation fits a small phone and large text, has no layout shift, and passes axe in both themes', async () => {
  const { context, page, errors } = await openPage()
  const bench = await openBench(browser)
  const wrong: string[] = []
  for (const path of documented) {
    await page.goto(docsUrl(path))
    const found = await bench.wrongWith(await page.content())
    const jumped = await page.evaluate<number>('jumped')
    wrong.push(...[...found, ...errors.splice(0)].map((what) => `${path}: ${what}`))
    if (jumped > 0) wrong.push(`${path}: jumps by ${String(jumped)}`)
    // Screenshots of every documentation page would be as large as all others together.
    if (path !== '/docs/quickstart') continue
    for (const width of [320, 1_280]) {
      await page.setViewportSize({ width, height: 780 })
      await saveScreenshot(page, `docs-quickstart.${String(width)}`)
    }
  }
  expect(wrong).toEqual([])
  await Promise.all([context.close(), bench.close()])
})

test('the documentation works by keyboard: the skip link leads to the text, and wide tables scroll', async () => {
  const { context, page } = await openPage()
  await page.setViewportSize({ width: 320, height: 780 })
  await page.goto(docsUrl('/docs/limits'))
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.activeElement.id')).toBe('main')
  await page.locator('.scroll').first().focus()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowRight')
  const hasScrolled = "document.querySelector('.scroll').scrollLeft > 0"
  await eventually('the table has moved', () => page.evaluate<boolean>(hasScrolled))
  await page.getByRole('link', { name: 'All pages' }).click()
  await page.getByRole('link', { name: 'Quickstart' }).click()
  await page.getByRole('heading', { level: 1, name: 'Quickstart' }).waitFor()
  await page.getByRole('searchbox').fill('2784')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: /^2784/ }).first().waitFor()
  await context.close()
})

function docsUrl(path: string): string {
  return new URL(path, screen('start').url).href
}

function screen(wanted: string): ShownScreen {
  const found = all.screens.find(({ name }) => name === wanted)
  if (found === undefined) throw new Error(`There is no screen ${wanted}`)
  return found
}

/** The page may just be going to the same address again, as a poll of a slow machine makes it. */
async function contentOf(page: Page): Promise<string> {
  return eventually('a page that stands', () => page.content().catch(() => undefined))
}

async function show(name: string, page: Page, language: Language): Promise<void> {
  await screen(name).prepare()
  await screen(name).open(page, language)
}
