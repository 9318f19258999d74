import { openBrowser } from '@malipo/e2e/browser'
import { startSimulator, type RunningSimulator } from '../start.harness'

type Browser = Awaited<ReturnType<typeof openBrowser>>
type Page = Awaited<ReturnType<Browser['newPage']>>

/** A simulator, and a tester's browser on its page. */
export interface Desk {
  readonly sim: RunningSimulator
  readonly page: Page
  /** Errors of the page so far, including blocked scripts. */
  readonly problems: readonly string[]
  close(): Promise<void>
}

/** Real time is frozen, so that open prompts stay open. */
export async function openDesk(browser: Browser, { width = 360, path = '/' } = {}): Promise<Desk> {
  const sim = await startSimulator()
  const page = await browser.newPage({ viewport: { width, height: 800 } })
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  await page.goto(sim.url + path)
  return {
    sim,
    page,
    problems,
    async close() {
      await page.close()
      await sim.stop()
    },
  }
}
