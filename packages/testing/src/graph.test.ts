import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { repositoryDir } from '@malipo/stack/migrate'

/** For each rule, an import that it must refuse: the importing file and what it imports. */
const planted: Readonly<Record<string, readonly [file: string, imported: string]>> = {
  'no-cycles': ['services/ledger/src/refunds/circle.ts', './circle'],
  'services-do-not-import-services': [
    'services/auth/src/wallets/shortcut.ts',
    '../../../ledger/src/start',
  ],
  'packages-do-not-import-services': [
    'packages/web/src/upwards.ts',
    '../../../services/ledger/src/start',
  ],
  'tests-start-other-services-by-their-start-file': [
    'services/gateway/src/payer/window.test.ts',
    '../../../ledger/src/refunds/circle',
  ],
  'rules-are-pure': ['services/ledger/src/refunds/rules/clever.ts', 'node:crypto'],
  'kernel-imports-nothing': ['packages/kernel/src/heavy.ts', 'node:crypto'],
  'prisma-only-in-store': ['services/ledger/src/refunds/query.ts', 'pg'],
  'express-only-at-the-edge': ['services/ledger/src/refunds/answer.ts', 'express'],
  'wire-types-stop-at-operations': [
    'services/ledger/src/refunds/store/row.ts',
    '../../../../../packages/contracts/src/generated/wire',
  ],
  'services-are-called-by-their-client': [
    'services/worker/src/sweep/claim.ts',
    '../../../../packages/contracts/src/generated/wire',
  ],
  'auth-calls-others-by-their-client': [
    'services/auth/src/wallets/wire.ts',
    '../../../../packages/contracts/src/generated/ledger/wire',
  ],
  'clients-know-no-other-client': [
    'packages/keys-client/src/both.ts',
    '../../ledger-client/src/connection',
  ],
  'simulator-does-not-import-rails': [
    'services/simulator/src/providers/mpesa/copied.ts',
    '../../../../../packages/rails/src/rail',
  ],
  'rails-belong-to-gateway-and-worker': [
    'services/auth/src/sessions/prompt.ts',
    '../../../../packages/rails/src/rail',
  ],
  'worker-has-no-database': ['services/worker/src/sweep/select.ts', 'pg'],
  'ledger-stays-inside': ['services/ledger/src/refunds/call.ts', 'node:https'],
  'production-does-not-import-tests': [
    'services/ledger/src/refunds/store/rows.ts',
    '../../../../../packages/testing/src/eventually',
  ],
  'dependencies-are-declared': ['packages/web/src/undeclared.ts', 'express'],
  'imports-resolve': ['packages/web/src/dangling.ts', './nowhere'],
}

/** What the planted files import. */
const surroundings: Readonly<Record<string, string>> = {
  'services/ledger/src/start.ts': 'export const value = 1\n',
  'packages/contracts/src/generated/wire.ts': 'export const value = 1\n',
  'packages/contracts/src/generated/ledger/wire.ts': 'export const value = 1\n',
  'packages/ledger-client/src/connection.ts': 'export const value = 1\n',
  'packages/rails/src/rail.ts': 'export const value = 1\n',
  'packages/testing/src/eventually.ts': 'export const value = 1\n',
  'packages/web/package.json': '{ "name": "@malipo/web" }\n',
  'node_modules/express/package.json': '{ "name": "express", "main": "index.js" }\n',
  'node_modules/express/index.js': '',
  'node_modules/pg/package.json': '{ "name": "pg", "main": "index.js" }\n',
  'node_modules/pg/index.js': '',
}

interface Rule {
  readonly name: string
  readonly comment: string
}

interface Cruised {
  readonly violations: readonly {
    readonly from: string
    readonly rule: { readonly name: string }
  }[]
  readonly ruleSetUsed: { readonly forbidden: readonly Rule[] }
}

function cruise(files: Readonly<Record<string, string>>): Cruised {
  const dir = mkdtempSync(join(tmpdir(), 'malipo-graph-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  for (const file of ['tsconfig.json', 'tsconfig.base.json'])
    symlinkSync(join(repositoryDir, file), join(dir, file))
  const config = join(repositoryDir, '.dependency-cruiser.cjs')
  const command = join(repositoryDir, 'node_modules/.bin/depcruise')
  const ran = spawnSync(command, ['--config', config, '-T', 'json', 'services', 'packages'], {
    cwd: dir,
    encoding: 'utf8',
  })
  rmSync(dir, { recursive: true })
  const answer = JSON.parse(ran.stdout) as { summary: Cruised }
  return answer.summary
}

describe('the import graph', () => {
  const files = Object.fromEntries(
    Object.values(planted).map(([file, imported]) => [
      file,
      `export { value } from '${imported}'\n`,
    ]),
  )
  const { violations, ruleSetUsed } = cruise({ ...surroundings, ...files })
  const rules = ruleSetUsed.forbidden

  test.each(rules.map((rule) => rule.name))('refuses what %s forbids', (name) => {
    const found = violations.filter((violation) => violation.rule.name === name)
    expect(found.map((violation) => violation.from)).toContain(planted[name]?.[0])
  })

  test('gives a reason for each rule, in a sentence', () => {
    for (const rule of rules) expect(rule.comment).toMatch(/^[A-Z].{20,}\.$/)
  })
})
