import { spawnSync } from 'node:child_process'
import { repositoryDir } from '@malipo/stack/migrate'

interface Planted {
  readonly rule: string
  readonly code: string
  readonly refusedIn: string
  readonly allowedIn?: string
}

const domain = 'services/ledger/src/domain/planted.ts'
const unitTest = 'services/ledger/src/domain/planted.test.ts'
const statements = (count: number) => 'work()\n'.repeat(count)

const planted: readonly Planted[] = [
  {
    rule: 'malipo/default-export',
    code: 'export default 1',
    refusedIn: domain,
    allowedIn: 'packages/testing/src/start-databases.ts',
  },
  { rule: 'malipo/export-all', code: "export * from './money'", refusedIn: domain },
  {
    rule: 'malipo/foreign-source',
    code: "import { start } from '../../../keys/src/start'",
    refusedIn: domain,
    allowedIn: unitTest,
  },
  {
    rule: 'malipo/environment',
    code: "export const port = process.env['PORT']",
    refusedIn: domain,
    allowedIn: 'services/ledger/src/config.ts',
  },
  {
    rule: 'malipo/clock',
    code: 'export const now = Date.now()',
    refusedIn: unitTest,
    allowedIn: 'packages/runtime/src/clock.ts',
  },
  { rule: 'malipo/clock', code: 'export const now = new Date()', refusedIn: domain },
  { rule: 'malipo/random', code: 'export const dice = Math.random()', refusedIn: domain },
  {
    rule: 'malipo/try',
    code: 'try { work() } catch (error) { give(error) }',
    refusedIn: 'services/worker/src/jobs/planted.ts',
    allowedIn: 'services/worker/src/clients/planted.ts',
  },
  { rule: 'malipo/number-parsing', code: 'export const amount = Number(text)', refusedIn: domain },
  {
    rule: 'malipo/number-parsing',
    code: 'export const amount = parseFloat(text)',
    refusedIn: domain,
  },
  {
    rule: 'malipo/number-parsing',
    code: 'export const amount = Number.parseInt(text, 10)',
    refusedIn: domain,
  },
  {
    rule: 'malipo/fetch',
    code: 'void fetch(url)',
    refusedIn: 'services/gateway/src/http/planted.ts',
    allowedIn: 'packages/rails/src/exchange.ts',
  },
  {
    rule: 'malipo/console',
    code: 'console.log(1)',
    refusedIn: domain,
    allowedIn: 'packages/stack/src/print.ts',
  },
  {
    rule: 'malipo/exit',
    code: 'process.exit(1)',
    refusedIn: domain,
    allowedIn: 'packages/runtime/src/process.ts',
  },
  { rule: 'malipo/sleep', code: 'setTimeout(done, 100)', refusedIn: unitTest, allowedIn: domain },
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
    refusedIn: domain,
    allowedIn: unitTest,
  },
  {
    rule: 'max-depth',
    code: 'if (a) { if (b) { if (c) { if (d) { work() } } } }',
    refusedIn: 'services/ledger/src/rpc/planted.ts',
  },
  {
    rule: 'complexity',
    code: `export const any = () => ${'a && '.repeat(10)}a`,
    refusedIn: domain,
  },
  {
    rule: 'max-params',
    code: 'export const many = (a: 1, b: 1, c: 1, d: 1, e: 1) => [a, b, c, d, e]',
    refusedIn: domain,
  },
]

/** Lints pieces of code as if they stood at a path. Without types: a file that does not exist has no program. */
const linter = `
import { ESLint } from 'eslint'
import config from './eslint.config.mjs'
import tseslint from 'typescript-eslint'
const untyped = tseslint.configs.disableTypeChecked
const eslint = new ESLint({
  overrideConfig: [{ files: ['**/*.ts'], rules: untyped.rules, languageOptions: { parserOptions: { project: false } } }],
})
let input = ''
for await (const chunk of process.stdin) input += chunk
const rulesOf = async ({ code, filePath }) =>
  (await eslint.lintText(code, { filePath })).flatMap(({ messages }) => messages.map(({ ruleId, message }) => ruleId ?? message))
const bans = Object.keys(config.find(({ plugins }) => plugins?.malipo)?.plugins.malipo.rules ?? {})
process.stdout.write(JSON.stringify({ bans, rules: await Promise.all(JSON.parse(input).map(rulesOf)) }))
`

interface Linted {
  /** The rules of our own. */
  readonly bans: readonly string[]
  /** For each sample, the rules that it breaks. */
  readonly rules: readonly string[][]
}

function lint(samples: readonly { code: string; filePath: string }[]): Linted {
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', linter], {
    cwd: repositoryDir,
    encoding: 'utf8',
    input: JSON.stringify(samples),
  })
  if (ran.status !== 0) throw new Error(ran.stderr)
  return JSON.parse(ran.stdout) as Linted
}

describe('the linter', () => {
  const { bans, rules: refused } = lint(
    planted.map(({ code, refusedIn }) => ({ code, filePath: refusedIn })),
  )
  const withPlace = planted.filter(({ allowedIn }) => allowedIn !== undefined)
  const { rules: allowed } = lint(
    withPlace.map(({ code, allowedIn }) => ({ code, filePath: allowedIn ?? '' })),
  )

  test.each(planted.map(({ rule, code }, index) => [rule, code.slice(0, 60), index] as const))(
    '%s refuses %j',
    (rule, _code, index) => {
      expect(refused[index]).toContain(rule)
    },
  )

  test.each(withPlace.map(({ rule, allowedIn }, index) => [rule, allowedIn, index] as const))(
    '%s has no objection in %s',
    (rule, _place, index) => {
      expect(allowed[index]).not.toContain(rule)
    },
  )

  test('has a planted violation for each ban', () => {
    const proven = new Set(planted.map(({ rule }) => rule))
    expect(bans.filter((ban) => !proven.has(`malipo/${ban}`))).toEqual([])
    expect(bans.length).toBeGreaterThan(0)
  })

  test('cannot be switched off by a comment', () => {
    const { rules } = lint([
      {
        code: `// ${['eslint', 'disable'].join('-')}-next-line\nprocess.exit(1)`,
        filePath: domain,
      },
    ])
    expect(rules[0]).toContain('malipo/exit')
  })
})
