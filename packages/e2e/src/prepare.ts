import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { repositoryDir } from '@malipo/stack/migrate'
import startDatabases from '@malipo/testing/start-databases'

/** Jest's global set-up of the browser tests: a Chromium, found or installed, and the databases of the other tests. */
export default async function prepare(): Promise<void> {
  const script = join(repositoryDir, 'packages/e2e/bin/chromium.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  process.env['CHROMIUM_PATH'] = stdout.trim()
  await startDatabases()
}
