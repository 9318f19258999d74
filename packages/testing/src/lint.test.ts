import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { repositoryDir } from '@malipo/stack/migrate'

interface Planted {
  readonly rule: string
  readonly code: string
  readonly refusedIn: string
  readonly allowedIn?: string
}

const ruleFile = 'services/ledger/src/refunds/rules/planted.ts'
const unitTest = 'services/ledger/src/refunds/rules/planted.test.ts'
const statements = (count: number) => 'work()\n'.repeat(count)

const planted: readonly Planted[] = [
  {
    rule: 'malipo/default-export',
    code: 'export default 1',
    refusedIn: ruleFile,
    allowedIn: 'packages/testing/src/start-databases.ts',
  },
  { rule: 'malipo/export-all', code: "export * from './money'", refusedIn: ruleFile },
  {
    rule: 'malipo/foreign-source',
    code: "import { start } from '../../../keys/src/start'",
    refusedIn: ruleFile,
    allowedIn: unitTest,
  },
  {
    rule: 'malipo/environment',
    code: "export const port = process.env['PORT']",
    refusedIn: ruleFile,
    allowedIn: 'services/ledger/src/config.ts',
  },
  {
    rule: 'malipo/clock',
    code: 'export const now = Date.now()',
    refusedIn: unitTest,
    allowedIn: 'packages/runtime/src/clock.ts',
  },
  { rule: 'malipo/clock', code: 'export const now = new Date()', refusedIn: ruleFile },
  { rule: 'malipo/random', code: 'export const dice = Math.random()', refusedIn: ruleFile },
  {
    rule: 'malipo/try',
    code: 'try { work() } catch (error) { give(error) }',
    refusedIn: 'services/worker/src/sweep/planted.ts',
    allowedIn: 'packages/ledger-client/src/planted.ts',
  },
  {
    rule: 'malipo/number-parsing',
    code: 'export const amount = Number(text)',
    refusedIn: ruleFile,
  },
  {
    rule: 'malipo/number-parsing',
    code: 'export const amount = parseFloat(text)',
    refusedIn: ruleFile,
  },
  {
    rule: 'malipo/number-parsing',
    code: 'export const amount = Number.parseInt(text, 10)',
    refusedIn: ruleFile,
  },
  {
    rule: 'malipo/fetch',
    code: 'void fetch(url)',
    refusedIn: 'services/gateway/src/payer/planted.ts',
    allowedIn: 'packages/rails/src/exchange.ts',
  },
  {
    rule: 'malipo/console',
    code: 'console.log(1)',
    refusedIn: ruleFile,
    allowedIn: 'packages/stack/src/print.ts',
  },
  {
    rule: 'malipo/exit',
    code: 'process.exit(1)',
    refusedIn: ruleFile,
    allowedIn: 'packages/runtime/src/process.ts',
  },
  { rule: 'malipo/sleep', code: 'setTimeout(done, 100)', refusedIn: unitTest, allowedIn: ruleFile },
  {
    rule: 'malipo/sleep',
    code: 'void page.waitForTimeout(100)',
    refusedIn: 'packages/e2e/src/planted.e2e.test.ts',
  },
  {
    rule: 'malipo/sleep',
    code: "import { setTimeout as rest } from 'node:timers/promises'",
    refusedIn: unitTest,
  },
  { rule: 'max-lines', code: statements(301), refusedIn: unitTest },
  {
    rule: 'max-lines-per-function',
    code: `export function long() {\n${statements(70)}}`,
    refusedIn: ruleFile,
    allowedIn: unitTest,
  },
  {
    rule: 'max-depth',
    code: 'if (a) { if (b) { if (c) { if (d) { work() } } } }',
    refusedIn: 'services/ledger/src/refunds/planted.ts',
  },
  {
    rule: 'complexity',
    code: `export const any = () => ${'a && '.repeat(10)}a`,
    refusedIn: ruleFile,
  },
  {
    rule: 'max-params',
    code: 'export const many = (a: 1, b: 1, c: 1, d: 1, e: 1) => [a, b, c, d, e]',
    refusedIn: ruleFile,
  },
]

interface Diagnostic {
  /** The rule and where it is from: `malipo(exit)`, `eslint(max-lines)`. */
  readonly code: string
  readonly filename: string
}

/**
 * Lints each sample at its file path, without the rules that need types, because a sample is one line without types.
 *
 * @returns for each sample the names of rules, those of our own as `malipo/NAME`
 */
function lint(samples: readonly { code: string; filePath: string }[]): string[][] {
  const dir = mkdtempSync(join(tmpdir(), 'malipo-lint-'))
  const linked = ['oxlint.config.mjs', 'packages/testing/bin']
  const numbered = samples.map(({ code, filePath }, index) => {
    return { code, path: filePath.replace('/planted.', `/planted-${String(index)}.`) }
  })
  for (const path of [...linked, ...numbered.map(({ path }) => path)]) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
  }
  for (const path of linked) symlinkSync(join(repositoryDir, path), join(dir, path))
  for (const { code, path } of numbered) writeFileSync(join(dir, path), code)
  const linter = join(repositoryDir, 'node_modules/oxlint/bin/oxlint')
  const ran = spawnSync(process.execPath, [linter, '-c', 'oxlint.config.mjs', '-f', 'json'], {
    cwd: dir,
    encoding: 'utf8',
  })
  rmSync(dir, { recursive: true })
  const { diagnostics } = JSON.parse(ran.stdout) as { diagnostics: readonly Diagnostic[] }
  return numbered.map(({ path }) =>
    diagnostics
      .filter(({ filename }) => filename === path)
      .map(({ code }) =>
        code.replace(/^eslint\((.*)\)$/, '$1').replace(/^(\w+)\((.*)\)$/, '$1/$2'),
      ),
  )
}

describe('the linter', () => {
  const refused = lint(planted.map(({ code, refusedIn }) => ({ code, filePath: refusedIn })))
  const withPlace = planted.filter(({ allowedIn }) => allowedIn !== undefined)
  const allowed = lint(
    withPlace.map(({ code, allowedIn }) => ({ code, filePath: allowedIn ?? '' })),
  )

  test.each(planted.map(({ rule, code }, index) => [rule, code.slice(0, 60), index] as const))(
    '%s refuses %j',
    (rule, _code, index) => {
      expect(refused[index]).toContain(rule)
    },
  )

  test.each(withPlace.map(({ rule, allowedIn }, index) => [rule, allowedIn, index] as const))(
    '%s allows its sample in %s',
    (rule, _place, index) => {
      expect(allowed[index]).not.toContain(rule)
    },
  )

  test('has a planted violation for each ban', () => {
    const plugin = join(repositoryDir, 'packages/testing/bin/lint-bans.mjs')
    const print = `import('${plugin}').then(({ bans }) => console.log(Object.keys(bans).join()))`
    const { stdout } = spawnSync(process.execPath, ['-e', print], { encoding: 'utf8' })
    const bans = stdout.trim().split(',')
    const proven = new Set(planted.map(({ rule }) => rule))
    expect(bans).toContain('clock')
    expect(bans.filter((ban) => !proven.has(`malipo/${ban}`))).toEqual([])
  })

  test('is not switched off by a comment for ESLint', () => {
    const code = `// ${['eslint', 'disable'].join('-')}-next-line\nprocess.exit(1)`
    expect(lint([{ code, filePath: ruleFile }])[0]).toContain('malipo/exit')
  })
})
