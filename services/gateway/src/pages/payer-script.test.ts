import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const program = join(__dirname, '../../../../packages/web/bin/copy-page-files.mjs')

let to: string
beforeEach(() => {
  to = mkdtempSync(join(tmpdir(), 'malipo-payer-pages-'))
})
afterEach(() => {
  rmSync(to, { recursive: true, force: true })
})

test('the scripts of the payer page, as they are built, have no syntax newer than ES2020', () => {
  const build = () => execFileSync(process.execPath, [program, __dirname, to], { stdio: 'pipe' })
  expect(build).not.toThrow()
})
