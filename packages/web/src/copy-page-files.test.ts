import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'

let from: string
let to: string
beforeEach(() => {
  from = mkdtempSync(join(tmpdir(), 'malipo-pages-'))
  to = mkdtempSync(join(tmpdir(), 'malipo-copied-'))
})
afterEach(() => {
  for (const dir of [from, to]) rmSync(dir, { recursive: true, force: true })
})

function copied(name: string, source: string): string {
  writeFileSync(join(from, name), source)
  const program = join(__dirname, '../bin/copy-page-files.mjs')
  execFileSync(process.execPath, [program, from, to], { stdio: 'pipe' })
  return readFileSync(join(to, name), 'utf8')
}

test('a script is copied without comments, and keeps its import and export lines and its top-level names', () => {
  const script = copied(
    'page.client.mjs',
    `// A note for us.
import { other } from './other.client.mjs'

/** What it is for. */
export function told(amount) {
  /* inside */ const address = 'https://shop.example/*' // behind
  return address + amount + other()
}
`,
  )
  for (const note of ['A note', 'What it is for', 'inside', 'behind'])
    expect(script).not.toContain(note)
  const module = script.replaceAll(/^import .*\n|^export (?=function )/gm, '')
  const told = runInNewContext(`${module}; told('1')`, { other: () => '2' }) as string
  expect(told).toBe('https://shop.example/*12')
})

test.each(['words ??= 1', 'words ||= 1', 'words &&= 1'])(
  'a script that phones of 2020 cannot parse is refused: %s',
  (statement) => {
    const copy = () => copied('page.client.mjs', `let words\n${statement}\n`)
    expect(copy).toThrow('page.client.mjs: has syntax that is newer than ES2020')
  },
)

test('a style sheet is copied without comments, in syntax that browsers before 2022 know', () => {
  const styles = copied(
    'page.css',
    '/* A note for us. */\n@media (min-width: 40rem) {\n.card::before {\n  content: "/* shown */";\n  color: var(--ink);\n}\n}\n',
  )
  expect(styles).not.toContain('A note')
  // Chrome before 2022 and Safari before 2023 do not know (width>=40rem).
  expect(styles).toContain('(min-width:40rem)')
  expect(styles).toMatch(/\.card:?:before\{content:"\/\* shown \*\/";color:var\(--ink\)\}/)
})
