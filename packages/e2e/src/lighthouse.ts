import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repositoryDir } from '@malipo/stack/migrate'

/** What Lighthouse reports, for the phone and the network that it simulates. Scores are out of 100. */
export interface LighthouseReport {
  readonly scores: {
    readonly performance: number
    readonly accessibility: number
    readonly 'best-practices': number
  }
  readonly metrics: Readonly<Record<string, string>>
  readonly imperfect: readonly string[]
}

const withinMs = 90_000
const script = join(repositoryDir, 'packages/e2e/bin/lighthouse.mjs')

/** Returns all screens when LIGHTHOUSE=all, else only the first, because each takes more than ten seconds. */
export function screensForLighthouse<Screen>(screens: readonly Screen[]): readonly Screen[] {
  return process.env['LIGHTHOUSE'] === 'all' ? screens : screens.slice(0, 1)
}

/** Lighthouse runs in its own process, with its own browser. */
export async function askLighthouse(url: string): Promise<LighthouseReport> {
  const chromium = process.env['CHROMIUM_PATH'] ?? ''
  const { stdout } = await promisify(execFile)(process.execPath, [script, chromium, url], {
    timeout: withinMs,
  })
  return JSON.parse(stdout) as LighthouseReport
}
