import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { repositoryDir } from '@malipo/stack/migrate'

/** Jest's global set-up of the browser tests: finds a Chromium, or installs one where it may, or says how to. */
export default function findChromium(): void {
  const script = join(repositoryDir, 'packages/e2e/bin/chromium.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  process.env['CHROMIUM_PATH'] = stdout.trim()
}
