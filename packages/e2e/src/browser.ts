import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { repositoryDir } from '@malipo/stack/migrate'
import { type Browser, chromium } from 'playwright-core'

/**
 * Features that take half of the processor time of a new context: two hidden pages of the address bar, and a renderer
 * kept ready for the next site. Chromium reads only its last list of features, so this one also has those that
 * Playwright turns off.
 */
const featuresOff = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
]

/** Switches off Chromium's updates, its calls to Google and the sandbox, which fails as root. */
const quiet = [
  `--disable-features=${featuresOff.join(',')}`,
  '--in-process-gpu',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Finds a Chromium for this process and those that it starts, and installs one where that can be done. */
export function findBrowser(): void {
  const script = join(repositoryDir, 'packages/e2e/bin/chromium.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  process.env['CHROMIUM_PATH'] = stdout.trim()
}

export function openBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_PATH']
  if (executablePath === undefined) throw new Error('Browser tests are called *.e2e.test.ts')
  return chromium.launch({ executablePath, headless: true, args: quiet })
}
