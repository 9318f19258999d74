import type { Browser } from 'playwright-core'
import { openBrowser } from '@malipo/e2e/browser'
import { askLighthouse, type LighthouseReport } from '@malipo/e2e/lighthouse'
import { openScreens, type Screens } from './screens.harness'
import type { ShownScreen } from './shop.harness'

// How fast the pages are, for a machine that does nothing else: `npm run page-speed` in packages/e2e. The suite holds
// what makes them fast, their weight.
jest.setTimeout(1_800_000)

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

function screen(wanted: string): ShownScreen {
  const found = all.screens.find(({ name }) => name === wanted)
  if (found === undefined) throw new Error(`There is no screen ${wanted}`)
  return found
}

test('a phone four times slower, on 400 kbit/s and 400 ms, shows the page within 2.5 s and can use it within 3 s', async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 780 } })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  const bytesASecond = 400_000 / 8
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: bytesASecond,
    uploadThroughput: bytesASecond,
  })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await screen('start').prepare()
  await screen('start').open(page, 'lg')
  const times = await page.evaluate<{
    painted: number
    usable: number
  }>(`new Promise((resolve) => {
    const [{ domContentLoadedEventEnd: usable }] = performance.getEntriesByType('navigation')
    const observer = new PerformanceObserver((list) => {
      const painted = list.getEntriesByName('first-contentful-paint')[0]?.startTime
      if (painted !== undefined) resolve({ painted, usable })
    })
    observer.observe({ type: 'paint', buffered: true })
  })`)
  expect(times.painted).toBeLessThanOrEqual(2_500)
  expect(times.usable).toBeLessThanOrEqual(3_000)
  await context.close()
})

test('Lighthouse gives pages on a phone at least 98 for performance', async () => {
  const screens = [
    'start-card',
    'start',
    'failed-no-funds',
    'failed-three-times',
    'paid-without-return',
    'expired',
    'handle',
    'handle-failed',
    'handle-paid',
    'card-declined',
  ].map((name) => [name, screen(name).url] as const)
  const docs = [
    '/docs',
    '/docs/quickstart',
    '/docs/testing',
    '/docs/reference',
    '/docs/errors/2784',
    '/docs/search?q=wait',
  ].map((path) => [path, new URL(path, screen('start').url).href] as const)
  const slow: Record<string, LighthouseReport> = {}
  for (const [name, url] of [...screens, ...docs]) {
    const report = await askLighthouse(url, ['performance'])
    if ((report.scores.performance ?? 0) < 98) slow[name] = report
  }
  expect(slow).toEqual({})
})
