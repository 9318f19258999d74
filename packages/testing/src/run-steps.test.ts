import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repositoryDir } from '@malipo/stack/migrate'

const runner = join(repositoryDir, 'packages/testing/bin/run-steps.mjs')
const longestFirst = join(repositoryDir, 'packages/testing/bin/longest-first.cjs')
const program = `
import { endWithSignals, runSteps } from ${JSON.stringify(runner)}
endWithSignals()
process.env.RUNNER = process.pid
const lines = []
const total = await runSteps(JSON.parse(process.argv[1]), { cwd: process.cwd(), print: (line) => lines.push(line) })
process.stdout.write(JSON.stringify({ lines, total }))
`
const scripts = {
  pass: 'exit 0',
  fail: 'echo the reason; exit 3',
  hang: 'sleep 600',
  break: 'kill -TERM $RUNNER; sleep 600',
  url: 'test -z "$DATABASE_URL"',
  // `place` and `background` end only when both have started.
  place: 'touch place; until test -e background; do sleep 0.05; done',
  background: 'touch background; until test -e place; do sleep 0.05; done',
  lowest: 'node -e "process.exit(os.getPriority() === 19 ? 0 : 1)"',
  alone: 'mkdir alone && sleep 0.3 && rmdir alone',
}
const jestTests = {
  'one.test.js':
    "test('a', () => {}); test('b', () => { throw new Error('wrong sum') }); test['skip']('c', () => {})",
  'two.test.js': "require('./nothing')",
}
const jestConfig = {
  projects: ['some', 'none'].map((name) => ({
    displayName: name,
    testMatch: [name === 'some' ? '**/*.test.js' : '**/*.none.js'],
  })),
}

interface Step {
  readonly script?: string
  readonly project?: string
  readonly deadlineSeconds?: number
  readonly places?: number
  readonly workers?: number
}

interface Ran {
  readonly lines: readonly string[]
  readonly total: { readonly passed: number; readonly failed: number; readonly skipped: number }
}

describe('runSteps', () => {
  const dir = mkdtempSync(join(tmpdir(), 'malipo-run-steps-'))

  beforeAll(() => {
    writeFileSync(join(dir, 'package.json'), JSON.stringify({ name: 'planted', scripts }))
    writeFileSync(join(dir, 'jest.config.json'), JSON.stringify(jestConfig))
    for (const [name, text] of Object.entries(jestTests)) writeFileSync(join(dir, name), text)
    symlinkSync(join(repositoryDir, 'node_modules'), join(dir, 'node_modules'))
  })

  afterAll(() => {
    rmSync(dir, { recursive: true })
  })

  function runSteps(...steps: readonly Step[]): Ran {
    const whole = steps.map((step) => ({
      name: step.script ?? step.project,
      title: step.script ?? step.project,
      places: 1,
      deadlineSeconds: 60,
      ...step,
    }))
    const ran = spawnSync(
      process.execPath,
      ['--input-type=module', '-e', program, JSON.stringify(whole)],
      {
        cwd: dir,
        encoding: 'utf8',
        env: { ...process.env, DATABASE_URL: 'postgresql://elsewhere' },
      },
    )
    if (ran.status !== 0) throw new Error(ran.stderr)
    return JSON.parse(ran.stdout) as Ran
  }

  /** The names of test files in the order in which the sequencer returns them. */
  function orderOf(sizes: Readonly<Record<string, number>>, call: string): string {
    const order = `
      const { default: LongestFirst } = await import(${JSON.stringify(longestFirst)})
      const context = { hasteFS: { getSize: (path) => JSON.parse(process.argv[1])[path.slice(3)] } }
      const tests = Object.keys(JSON.parse(process.argv[1])).map((name) => ({ path: '/a/' + name, context }))
      process.stdout.write(new LongestFirst().${call}.map(({ path }) => path.slice(3)).join())`
    return spawnSync(
      process.execPath,
      ['--input-type=module', '-e', order, JSON.stringify(sizes)],
      { encoding: 'utf8' },
    ).stdout
  }

  test('counts a check as one test, and continues after one that fails', () => {
    const { total } = runSteps(
      { script: 'fail' },
      { script: 'pass' },
      { script: 'fail' },
      { script: 'pass' },
    )
    expect(total).toEqual({ passed: 2, failed: 2, skipped: 0 })
  })

  test('shows the output of a failing check, and only the time of a passing one', () => {
    const { lines } = runSteps({ script: 'fail' }, { script: 'pass' })
    expect(lines.join('\n')).toMatch(/the reason\n\n✗ fail: \d+\.\d s/)
    expect(lines.join('\n')).toMatch(/^✓ pass: \d+\.\d s$/m)
  })

  test.each([1, 2])(
    'counts each test of a step, and a test file that does not load as a failure, in %d processes',
    (workers) => {
      const { total, lines } = runSteps({ project: 'some', workers })
      expect(total).toEqual({ passed: 1, failed: 2, skipped: 1 })
      expect(lines.join('\n')).toContain('wrong sum')
    },
  )

  test('runs a background step beside a step that takes all places', () => {
    const { total } = runSteps({ script: 'place', places: 3 }, { script: 'background', places: 0 })
    expect(total).toEqual({ passed: 2, failed: 0, skipped: 0 })
  })

  test('runs background steps at the lowest priority, one after another', () => {
    const background = ['lowest', 'alone', 'alone'].map((script) => ({ script, places: 0 }))
    expect(runSteps(...background).total).toEqual({ passed: 3, failed: 0, skipped: 0 })
  })

  test('starts the test files that are known to be slow first, and the rest by size', () => {
    const sizes = {
      'small.e2e.test.ts': 1,
      'chaos.e2e.test.ts': 2,
      'large.e2e.test.ts': 9,
      'screens.e2e.test.ts': 3,
    }
    expect(orderOf(sizes, 'sort(tests)')).toBe(
      'screens.e2e.test.ts,chaos.e2e.test.ts,large.e2e.test.ts,small.e2e.test.ts',
    )
  })

  test('divides the test files into halves that take equally long, and leaves none out', () => {
    const halfOf = (shardIndex: number) =>
      orderOf(
        { 'a.db.test.ts': 1, 'b.db.test.ts': 1, 'backup.db.test.ts': 1, 'recorded.db.test.ts': 1 },
        `shard(tests, { shardIndex: ${String(shardIndex)}, shardCount: 2 })`,
      )
    expect([halfOf(1), halfOf(2)]).toEqual([
      'backup.db.test.ts,b.db.test.ts',
      'recorded.db.test.ts,a.db.test.ts',
    ])
  })

  test('fails a run that found no test', () => {
    expect(runSteps({ project: 'none' }).total).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })

  test('ends and fails a step that passes its deadline', () => {
    const { total, lines } = runSteps({ script: 'hang', deadlineSeconds: 1 })
    expect(total).toEqual({ passed: 0, failed: 1, skipped: 0 })
    expect(lines.join('\n')).toContain('ended after 1 s')
  })

  test('SIGTERM ends the running steps, starts no other, and counts every step of the run as failed', () => {
    const { total, lines } = runSteps(
      { script: 'break' },
      { script: 'pass', places: 3 },
      { script: 'pass' },
    )
    expect(total).toEqual({ passed: 0, failed: 3, skipped: 0 })
    expect(lines.join('\n')).not.toContain('pass')
  })

  test('does not pass the database variables of the shell on to the steps', () => {
    expect(runSteps({ script: 'url' }).total).toEqual({ passed: 1, failed: 0, skipped: 0 })
  })
})
