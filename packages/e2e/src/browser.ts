import { type Browser, chromium } from 'playwright-core'

/** What Chromium would otherwise do on its own: look for updates, speak to its maker, ask for a sandbox as root. */
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Opens the browser that `prepare.ts` found. */
export function openBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_PATH']
  if (executablePath === undefined) throw new Error('Browser tests are called *.e2e.test.ts')
  return chromium.launch({ executablePath, headless: true, args: quiet })
}
