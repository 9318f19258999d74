import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repositoryDir } from '@malipo/stack/migrate'

type Category = 'performance' | 'accessibility' | 'best-practices'

/** What Lighthouse reports, for the phone and the network that it simulates. Scores are out of 100. */
export interface LighthouseReport {
  readonly scores: Readonly<Partial<Record<Category, number>>>
  readonly metrics: Readonly<Record<string, string>>
  readonly imperfect: readonly string[]
}

const withinMs = 300_000
const script = join(repositoryDir, 'packages/e2e/bin/lighthouse.mjs')

/** Lighthouse runs in its own process, with its own browser. */
export async function askLighthouse(
  url: string,
  categories: readonly Category[],
): Promise<LighthouseReport> {
  const chromium = process.env['CHROMIUM_PATH'] ?? ''
  const args = [script, chromium, url, ...categories]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: withinMs })
  return JSON.parse(stdout) as LighthouseReport
}
