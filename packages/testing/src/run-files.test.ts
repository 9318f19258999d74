import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { repositoryDir } from '@malipo/stack/migrate'

const command = join(repositoryDir, 'packages/stack/bin/test.mjs')

/** `npm test -- ...`, in a folder of the repository. */
function npmTest(args: readonly string[], dir = '.') {
  const cwd = join(repositoryDir, dir)
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd,
    encoding: 'utf8',
  })
  const files = stderr.match(/(?<=^PASS unit ).*\.test\.ts/gm)?.sort() ?? []
  return { status, files, output: stdout + stderr }
}

test('npm test -- FILE runs the tests of that file alone', () => {
  const { status, files } = npmTest(['packages/bench/src/table.ts'])
  expect([status, files]).toEqual([0, ['packages/bench/src/table.test.ts']])
})

test('npm test -- FOLDER runs the tests below it, also for a path relative to the shell’s folder', () => {
  const { status, files } = npmTest(['src/overload', '--name', 'percentile'], 'packages/bench')
  expect([status, files]).toEqual([0, ['packages/bench/src/overload/answers.test.ts']])
})

test.each([
  ['a path that is not there', ['no/such.ts'], 'There is no no/such.ts'],
  ['a path outside of the repository', ['..'], '.. is outside of the repository'],
  ['a step and a path', ['--only', 'lint', 'README.md'], '--only and PATH do not go together'],
  ['a name without a path', ['--name', 'x'], '--name needs a PATH'],
  ['a file without tests', ['README.md'], 'No tests found'],
])('refuses %s with a message', (_what, args, sentence) => {
  const { status, output } = npmTest(args)
  expect(status).toBe(1)
  expect(output).toContain(sentence)
})
