import { errors } from '@malipo/kernel/errors'
import { everyCitationResolves } from './citations'
import { everyFailureRowIsShown } from './failure-rows'
import {
  errorRow,
  everyErrorIsDocumented,
  everyNamedPathExists,
  everyNameIsInItsFile,
  everyRoomIsFound,
} from './readmes'
import { everyRequirementIsShown } from './security-requirements'
import type { Rule, SourceFile } from './source-tree'

export interface CheckedRule {
  readonly rule: Rule
  /** File trees that break the rule, each in one place. */
  readonly broken: readonly (readonly SourceFile[])[]
  /** A file tree that looks like a violation of the rule and is none. */
  readonly sound: readonly SourceFile[]
}

export const file = (path: string, text = ''): SourceFile => ({ path, text })

const errorTable = Object.values(errors).map(errorRow)
const allRows = Array.from({ length: 100 }, (_, at) => at + 1)
const allBut57 = allRows.filter((row) => row !== 57)

/** A document with these rows, each shown by `a.test.ts` unless `changed` says something else. */
const failureModes = (changed: Readonly<Record<number, string>> = {}, rows = allRows) =>
  file(
    'docs/failure-modes.md',
    rows.map((row) => `| ${String(row)} | x | ${changed[row] ?? '[a](../a.test.ts)'} |`).join('\n'),
  )
const testsOfRows = (...rows: readonly number[]) =>
  rows.map((row) => `test('row ${String(row)}: x')`).join('\n')

/** docs/asvs.md with one row, and `shown` in its last column. */
const asvs = (shown: string) => file('docs/asvs.md', `| 7.3.1 | sessions end | ${shown} |`)

export const documentRules: Readonly<Record<string, CheckedRule>> = {
  'every row of docs/failure-modes.md has its test, or a reason': {
    rule: everyFailureRowIsShown,
    broken: [
      [failureModes(), file('a.test.ts', testsOfRows(...allBut57))],
      [failureModes(), file('a.test.ts', testsOfRows(...allBut57)), file('a.ts', testsOfRows(57))],
      [failureModes({ 57: '—' }), file('a.test.ts', testsOfRows(...allRows))],
      [failureModes({ 57: 'not built:' }), file('a.test.ts', testsOfRows(...allBut57))],
      [failureModes({ 57: 'not built: for now' }), file('a.test.ts', testsOfRows(...allRows))],
      [failureModes({}, allBut57), file('a.test.ts', testsOfRows(...allRows))],
    ],
    sound: [
      failureModes({ 57: 'not built: nothing fills the disk' }),
      file('a.test.ts', testsOfRows(...allBut57)),
    ],
  },
  'every requirement of docs/asvs.md has a test that exists, or says why not': {
    rule: everyRequirementIsShown,
    broken: [
      [],
      [asvs('`ends an idle session`')],
      [asvs('—'), file('a.test.ts', "it('ends an idle session')")],
      [asvs('open:'), file('a.test.ts', "it('ends an idle session')")],
      [asvs('`ends an idle session`'), file('a.ts', "it('ends an idle session')")],
    ],
    sound: [
      asvs('`ends an idle session` |\n| 7.3.2 | ends | reason: there are no such sessions'),
      file('a.test.ts', "it('ends an idle session after 12 hours')"),
    ],
  },
  'every citation of a document resolves to a heading': {
    rule: everyCitationResolves,
    broken: [
      [
        file('docs/providers.md', '## 1. Daraja\n### 1.1 Token'),
        file('a.ts', '(providers.md 1.2)'),
      ],
      [file('docs/providers.md', '\n| 1 | x |'), file('a.ts', '(providers.md, fact 2)')],
      [file('docs/interface.md', '## Limits'), file('a.ts', '(interface, Amounts)')],
    ],
    sound: [
      file('docs/providers.md', '## 1. Daraja\n### 1.1 Token\n\n| 5 | x |'),
      file('docs/interface.md', '## Authentication\n### Checkout object (payer view)'),
      file('a.ts', '(providers.md 1.1) (providers.md 1; x) (providers.md, fact 5)'),
      file('b.proto', '(interface, Authentication 6) (interface, Checkout object).'),
    ],
  },
  'every error code is in the table of README.md': {
    rule: everyErrorIsDocumented,
    broken: [[file('README.md', errorTable.slice(1).join('\n'))]],
    sound: [file('README.md', errorTable.join('\n'))],
  },
  'every path named in a document exists': {
    rule: everyNamedPathExists,
    broken: [
      [file('README.md', 'see `packages/kernel/src/gone.ts`')],
      [file('packages/web/README.md', 'see [the page](src/gone.ts)')],
    ],
    sound: [
      file(
        'packages/web/README.md',
        'see `src/page.ts`, [it](src/page.ts#top), `page.ts`, `/v1/gone.json`, `dist/x.js`',
      ),
      file('packages/web/src/page.ts'),
    ],
  },
  'a name that a document places in a file is there': {
    rule: everyNameIsInItsFile,
    broken: [
      [
        file('docs/README.md', '`pollMs` in `web/src/page.ts`'),
        file('web/src/page.ts', 'pollMsMax'),
      ],
      [file('docs/README.md', '`pollMs` in `gone.ts`')],
    ],
    sound: [
      file('docs/README.md', '`pollMs` in `web/src/page.ts`, `other` and `page.ts`'),
      file('web/src/page.ts', 'const pollMs = 1'),
    ],
  },
  'every package and room is where a change is looked up': {
    rule: everyRoomIsFound,
    broken: [
      [file('docs/README.md', '`packages/websites/`'), file('packages/web/src/page.ts')],
      [
        file('services/keys/README.md', '`src/keys/`'),
        file('services/keys/src/keys/a.ts'),
        file('services/keys/src/database/b.ts'),
      ],
    ],
    sound: [
      file('docs/README.md', '`packages/web/src/page.ts`, `services/auth/src/links/`'),
      file('services/keys/README.md', '`src/keys/a.ts`'),
      ...['packages/web/src/page.ts', 'services/auth/src/links/a.ts'].map((path) => file(path)),
      ...['services/keys/src/keys/a.ts', 'services/keys/src/start.ts'].map((path) => file(path)),
    ],
  },
}
