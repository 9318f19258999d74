import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryDir } from '@malipo/stack/migrate'

// The path is the same in each run, because the cache keeps a file for each path.
const dir = join(repositoryDir, 'node_modules/.cache/run-from-source-test')
mkdirSync(dir, { recursive: true })
afterAll(() => {
  rmSync(dir, { recursive: true })
})

const sourceFile = join(dir, 'greeting.ts')

function run(): string {
  const loader = join(repositoryDir, 'packages/testing/bin/run-from-source.cjs')
  const { stdout } = spawnSync('node', ['--require', loader, sourceFile], { encoding: 'utf8' })
  return stdout
}

test('runs the current text of a source whose earlier text is in the cache', () => {
  writeFileSync(sourceFile, "process.stdout.write('before' satisfies string)")
  expect([run(), run()]).toEqual(['before', 'before'])

  writeFileSync(sourceFile, "process.stdout.write('after' satisfies string)")
  expect(run()).toBe('after')
})
