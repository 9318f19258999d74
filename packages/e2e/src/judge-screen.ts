import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { source as axe } from 'axe-core'
import type { Page } from 'playwright-core'
import { repositoryDir } from '@malipo/stack/migrate'

const phone = { width: 390, height: 780 }
const small = { width: 320, height: 640 }
/**
 * A tablet in portrait and in landscape. Portrait is wider than the layout for phones; landscape gets the layout for
 * desktops.
 */
const tablets = [
  { width: 768, height: 1_024 },
  { width: 1_024, height: 768 },
]
const screensDir = join(repositoryDir, 'packages/e2e/screens')

/**
 * Returns what is wrong with the current screen, in light and dark colours: what axe finds, and what does not fit a
 * width of 320 pixels (also with text of twice the size) or that of a tablet. The dark colours need no check in each
 * language, so a caller can leave them out.
 */
export async function wrongWithScreen(page: Page, inTheDark = true): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  // Folded parts are opened, to be checked as well.
  await page.evaluate(`document.querySelectorAll('details').forEach((part) => (part.open = true))`)
  const wrong = [...(await tooWide(page)), ...(await inaccessible(page, 'light'))]
  if (!inTheDark) return wrong
  // In dark colours only the contrast is checked, because nothing else differs.
  await page.emulateMedia({ colorScheme: 'dark' })
  wrong.push(...(await inaccessible(page, 'dark', ['color-contrast'])))
  await page.emulateMedia({ colorScheme: 'light' })
  return wrong
}

async function tooWide(page: Page): Promise<string[]> {
  await page.setViewportSize(small)
  const [width, doubled] = await page.evaluate<[number, number]>(`(() => {
    const root = document.documentElement
    const width = root.scrollWidth
    root.style.fontSize = '200%'
    const doubled = root.scrollWidth
    root.style.fontSize = ''
    return [width, doubled]
  })()`)
  const wide: string[] = []
  for (const tablet of tablets) {
    await page.setViewportSize(tablet)
    const found = await page.evaluate<number>('document.documentElement.scrollWidth')
    if (found > tablet.width)
      wide.push(`at ${String(tablet.width)} pixels the page is ${String(found)} wide`)
  }
  await page.setViewportSize(phone)
  return [
    ...wide,
    ...(width > small.width ? [`at 320 pixels the page is ${String(width)} wide`] : []),
    ...(doubled > small.width ? [`with text of twice the size it is ${String(doubled)} wide`] : []),
  ]
}

async function inaccessible(
  page: Page,
  theme: string,
  rules?: readonly string[],
): Promise<string[]> {
  const options = {
    // Nothing is loaded from elsewhere, and only violations are read.
    preload: false,
    reporter: 'no-passes',
    resultTypes: ['violations'],
    ...(rules === undefined ? {} : { runOnly: { type: 'rule', values: rules } }),
  }
  // axe is half a megabyte, so it is sent to a page once, and later checks find it there.
  if (!(await page.evaluate<boolean>(`typeof axe === 'object'`))) await page.evaluate(axe)
  // The sentences are made in the page, because sending all of axe's result here takes longer than the check.
  const found = await page.evaluate<
    string[]
  >(`axe.run(${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ help, nodes }) => help + ': ' + nodes.map(({ html }) => html).join(' ')))`)
  return found.map((what) => `${theme}: ${what}`)
}

/** Keeps a picture of the whole screen when SCREENS=1. */
export async function saveScreenshot(page: Page, name: string): Promise<void> {
  if (process.env['SCREENS'] !== '1') return
  mkdirSync(screensDir, { recursive: true })
  await page.screenshot({
    path: join(screensDir, `${name}.png`),
    fullPage: true,
    animations: 'disabled',
    // A picture must show no key and no secret, not even a revoked one.
    mask: [page.locator('[data-secret-key], [data-webhook-secret]')],
    maskColor: '#c9d3cf',
  })
}
