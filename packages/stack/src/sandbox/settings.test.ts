import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeReadyFile, writeReadyFile } from './settings'

const dir = mkdtempSync(join(tmpdir(), 'malipo-ready-'))
afterAll(() => {
  rmSync(dir, { recursive: true, force: true })
})

test('writes settings as lines of an env file for their owner alone, and removes them', () => {
  const file = join(dir, 'ready.env')
  writeReadyFile(file, { MALIPO_URL: 'http://127.0.0.1:4100', MALIPO_KEY: 'mkp_test_1' })
  expect(readFileSync(file, 'utf8')).toBe(
    'MALIPO_URL=http://127.0.0.1:4100\nMALIPO_KEY=mkp_test_1\n',
  )
  expect(statSync(file).mode & 0o777).toBe(0o600)
  removeReadyFile(file)
  expect(existsSync(file)).toBe(false)
})
