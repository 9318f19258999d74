import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { repositoryDir } from '@malipo/stack/migrate'
import { type CheckedRule, documentRules, file } from './tidy/document-rules.harness'
import { kebabCase, noBarrels, noDrawers, roomsByFeature } from './tidy/names'
import { everyOperationHasItsFiles, readOperations } from './tidy/operations'
import { noDecisionsByRailName } from './tidy/rail-names'
import { sizeBudget } from './tidy/sizes'
import { readSourceTree, type Rule, type SourceFile } from './tidy/source-tree'
import {
  noFocusedTests,
  noLintSwitches,
  noMachinePaths,
  noRegistryHosts,
  noSecrets,
  noUnfinishedWork,
  plainWords,
} from './tidy/words'

const tree = readSourceTree(repositoryDir)
const operations = readOperations(join(repositoryDir, 'proto'), tree)
const registry = spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).stdout.trim()

const describeFile = (first: SourceFile | undefined) =>
  `${first?.path ?? ''} ${first?.text.trim() ?? ''}`.trim().slice(0, 60)

const checkedRules: Readonly<Record<string, CheckedRule>> = {
  'names are kebab-case': {
    rule: kebabCase,
    broken: [
      [file('services/createCheckout.ts')],
      [file('services/Ledger/main.ts')],
      [file('a/under_score.ts')],
      [file('a/CamelCase.py')],
    ],
    sound: [
      file('README.md'),
      file('proto/key_service.proto'),
      file('malipo/__init__.py'),
      file('.ci/run'),
      file('a-b/c-d.db.test.ts'),
    ],
  },
  'no folder or file is a drawer': {
    rule: noDrawers,
    broken: [
      [file('services/ledger/src/utils/money.ts')],
      [file('packages/kernel/src/helpers.ts')],
    ],
    sound: [file('packages/kernel/src/money.ts'), file('k8s/base/shared.yaml')],
  },
  'no file is a barrel': {
    rule: noBarrels,
    broken: [[file('packages/kernel/src/index.ts')]],
    sound: [file('packages/kernel/src/index-of-rails.ts')],
  },
  'a service has a folder a feature': {
    rule: roomsByFeature,
    broken: [[file('services/worker/src/clients/pay.ts')], [file('services/ledger/src/app.ts')]],
    sound: [
      file('services/ledger/src/start.db.test.ts'),
      file('services/ledger/src/start.harness.ts'),
      file('services/ledger/src/checkouts/store/pay.ts'),
      file('services/simulator/src/providers/mpesa/push.ts'),
    ],
  },
  'files keep to the size budget': {
    rule: sizeBudget,
    broken: [
      [...Array(10).keys()].map((index) => file(`a${String(index)}.ts`, '\n'.repeat(71))),
      [...Array(10).keys()].map((index) =>
        file(`a${String(index)}.ts`, '\n'.repeat(index < 8 ? 1 : 201)),
      ),
      [
        file('a.sql', '\n'.repeat(301)),
        ...[...Array(10).keys()].map((index) => file(`${String(index)}.ts`)),
      ],
    ],
    sound: [file('a.ts', '\n'.repeat(70)), file('long.proto', '\n'.repeat(500))],
  },
  'every RPC has its file and its test': {
    rule: everyOperationHasItsFiles(['pay']),
    broken: [
      [file('services/ledger/src/checkouts/pay.ts')],
      [file('services/ledger/src/checkouts/pay.db.test.ts')],
    ],
    sound: [
      file('services/ledger/src/checkouts/pay.ts'),
      file('services/ledger/src/checkouts/pay.db.test.ts'),
    ],
  },
  ...documentRules,
  'nothing is unfinished': {
    rule: noUnfinishedWork,
    broken: [[file('a.ts', ['TO', 'DO: later'].join(''))], [file('a.md', ['FIX', 'ME'].join(''))]],
    sound: [file('a.ts', 'const todos = 1')],
  },
  'no comment switches the linter off': {
    rule: noLintSwitches,
    broken: [
      [
        file(
          'services/ledger/src/time.ts',
          `// ${['oxlint', 'disable'].join('-')}-next-line malipo/clock`,
        ),
      ],
      [file('packages/kernel/src/money.ts', `/* ${['eslint', 'disable'].join('-')} */`)],
    ],
    sound: [file('packages/testing/README.md', 'What oxlint disables stands in its settings')],
  },
  'every test runs': {
    rule: noFocusedTests,
    broken: [
      ...['only', 'skip', 'todo', 'failing'].map((word) => [
        file('a.test.ts', `test.${word}('pays')`),
      ]),
      ...['only', 'skip'].map((word) => [file('a.test.ts', `describe.${word}.each([1])('pays')`)]),
      ...['f', 'x'].map((letter) => [file('a.test.ts', `${letter}it('pays')`)]),
    ],
    sound: [file('a.test.ts', "test.each([1])('x', exit(1), split('only'))")],
  },
  'no file names a path of a machine': {
    rule: noMachinePaths,
    broken: [
      [file('a.md', `cd ${['', 'home', 'me', 'malipo'].join('/')}`)],
      [file('a.ts', `'${['', 'work', 'main'].join('/')}'`)],
    ],
    sound: [file('Dockerfile', 'WORKDIR /home/node/app'), file('a.ts', 'packages/work/x')],
  },
  'no file names the host of a package registry': {
    rule: noRegistryHosts(['packages.example.org']),
    broken: [
      [file('pnpm-lock.yaml', ['tarball', ' https://example.org/x.tgz'].join(':'))],
      [file('.npmrc', ['registry', 'example', 'com'].join('.'))],
    ],
    sound: [file('a.ts', "import { rails } from './registry'")],
  },
  'names and sentences use the words of the field': {
    rule: plainWords,
    broken: [
      [file('a.ts', '// So that nobody waits.')],
      [file('a.ts', 'submitBell.close()')],
      [file('a.ts', 'void queue.ring(id)')],
      [file('a.md', 'The neighbours of the ledger')],
      ...['const NAME = 1', 'pay({ ...NAME })', 'pay((NAME) => 1)'].map((text) => [
        file('services/gateway/src/pages/a.ts', text.replace('NAME', 'asked')),
      ]),
    ],
    sound: [
      file('a.ts', '// A phone rings, and a string (of text) is read.'),
      file('services/ledger/prisma/migrations/1/migration.sql', '-- Whoever has a key.'),
    ],
  },
  'no code decides by the name of a rail': {
    rule: noDecisionsByRailName,
    broken: [
      [file('services/worker/src/a.ts', "if (rail === 'mpesa') go()")],
      [file('services/ledger/src/b.ts', "return 'card' !== rail")],
      [file('packages/rails/src/check.ts', "case 'airtel_money':")],
      [file('services/gateway/src/c.tsx', "rails.get('mtn_momo')?.platform")],
      [file('packages/stack/bin/d.mjs', "rails.includes('paybill')")],
    ],
    sound: [
      file(
        'packages/kernel/src/a.ts',
        "const asks = { mpesa: 'by_prompt' }; const all = ['mpesa']",
      ),
      file('packages/rails/src/mpesa/client.ts', "if (name === 'mpesa') go()"),
      file('services/simulator/src/providers/card/pay.ts', "row.provider === 'card'"),
      file('services/ledger/src/a.test.ts', "expect(rail === 'mpesa')"),
    ],
  },
  'no file holds a secret': {
    rule: noSecrets,
    broken: [
      [file('a.md', `mkp_test_${'A'.repeat(52)}`)],
      [file('a.pem', `${'-'.repeat(5)}BEGIN RSA PRIVATE KEY`)],
      [file('compose.yml', `KEY_CHECK_SECRET: ${'0a'.repeat(32)}`)],
    ],
    sound: [file('a.md', 'mkp_test_… KEY_CHECK_SECRET: ${KEY_CHECK_SECRET}')],
  },
}

/** Rules that need more than files. The check of this repository runs them with its real operations and registry. */
const asItIs: Readonly<Record<string, Rule>> = {
  'every RPC has its file and its test': everyOperationHasItsFiles(operations),
  'no file names the host of a package registry': noRegistryHosts([new URL(registry).host]),
}

describe.each(Object.entries(checkedRules))('%s', (name, { rule, broken, sound }) => {
  test('finds no violation in this repository', () => {
    expect((asItIs[name] ?? rule)(tree)).toEqual([])
  })

  test.each(broken.map((files) => ({ first: describeFile(files[0]), files })))(
    'finds the violation in $first',
    ({ files }) => {
      expect(rule(files)).toHaveLength(1)
    },
  )

  test('finds nothing in files that only look like a violation', () => {
    expect(rule(sound)).toEqual([])
  })
})

test('reads the files of the repository, and the operations of proto/', () => {
  expect(tree.length).toBeGreaterThan(50)
  expect(operations).toContain('apply-evidence')
})
