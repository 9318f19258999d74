import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join, relative, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { readCommand } from '@malipo/testing/command'
import { entryMutants, type Mutant } from './table-entries.harness'
import { guardMutants } from './lock-guards.harness'

const help = `Usage: npm run mutants [-- cells | guards] [--only TEXT]

Plants bugs in the ledger, one at a time and in no file, and names the test that finds each: another value in each cell of
each decision table of the rules, and each guard and lock of the statements that save left out. Two at a time, some
twelve minutes.

  --only TEXT   the mutants whose name has this text
  --help        this text
`

const repositoryDir = resolve(__dirname, '../../../../..')

/** Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const options = readCommand(args, { help, numbers: {}, texts: ['only'] })
  if (options === undefined) return 0
  const [which = ''] = options.positionals
  const all = [
    ...(which === 'guards' ? [] : entryMutants()),
    ...(which === 'cells' ? [] : guardMutants()),
  ].filter(({ name }) => name.includes(options.only ?? ''))
  let missed = 0
  const waiting = all.values()
  await Promise.all(
    [1, 2].map(async () => {
      for (const mutant of waiting) {
        const found = await findMutant(mutant)
        if (found === undefined) missed += 1
        const where = relative(repositoryDir, mutant.file)
        process.stdout.write(
          `${found === undefined ? '✗' : '✓'} ${where}: ${mutant.name}: ${found ?? 'no test fails'}\n`,
        )
      }
    }),
  )
  process.stdout.write(`${String(all.length - missed)} of ${String(all.length)} found\n`)
  return missed === 0 ? 0 : 1
}

/** The name of the first test that fails with the mutant; undefined when none does. */
export async function findMutant({ checks, ...planted }: Mutant): Promise<string | undefined> {
  const config = JSON.stringify(configWith(planted))
  for (const check of checks) {
    const found = await firstFailure(check, config)
    if (found !== undefined) return found
  }
  return undefined
}

interface JestConfig {
  readonly projects: readonly {
    readonly transform: Readonly<Record<string, readonly [compiler: string, options: object]>>
  }[]
}

/** The repository's own configuration of Jest, with a compiler that plants the mutant. */
function configWith(mutant: Omit<Mutant, 'checks'>): JestConfig {
  const { projects, ...shared } = createRequire(__filename)(
    join(repositoryDir, 'jest.config.cjs'),
  ) as JestConfig
  const compiler = join(repositoryDir, 'packages/testing/bin/mutated.cjs')
  return {
    ...shared,
    projects: projects.map((project) => ({
      ...{ ...project, rootDir: repositoryDir },
      transform: Object.fromEntries(
        Object.entries(project.transform).map(([files, [, options]]) => {
          return [files, [compiler, { ...options, mutant }]] as const
        }),
      ),
    })),
  }
}

async function firstFailure(check: string, config: string): Promise<string | undefined> {
  const jest = join(repositoryDir, 'node_modules/jest/bin/jest.js')
  const place = ['--config', config, '--rootDir', repositoryDir]
  const projects = [
    '--selectProjects',
    'unit',
    'db',
    '--passWithNoTests',
    '--bail',
    '--silent',
    '--runInBand',
  ]
  const paths = ['--testPathPatterns', check, '--testPathIgnorePatterns', '/simulation/']
  const child = spawn(process.execPath, [jest, ...place, ...projects, ...paths], {
    ...{ cwd: repositoryDir, stdio: ['ignore', 'ignore', 'pipe'], timeout: 600_000 },
  })
  const printed = await text(child.stderr)
  const failed = /^ {2}● (.+)$/m.exec(printed)?.[1]
  if (failed === 'Test suite failed to run') throw new Error(printed)
  return failed
}
