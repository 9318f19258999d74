import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repositoryDir } from '@malipo/stack/migrate'

const dir = mkdtempSync(join(tmpdir(), 'malipo-realm-'))
symlinkSync(join(repositoryDir, 'packages/testing/node_modules'), join(dir, 'node_modules'))

afterAll(() => {
  rmSync(dir, { recursive: true })
})

/** What a run of these files in one worker, in this order, says of each test. */
function run(files: Readonly<Record<string, string>>): Record<string, string> {
  const bin = join(repositoryDir, 'packages/testing/bin')
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
  const config = {
    rootDir: dir,
    testEnvironment: join(bin, 'one-realm.cjs'),
    runtime: join(bin, 'shared-packages.cjs'),
    testSequencer: join(bin, 'longest-first.cjs'),
  }
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ jest: config }))
  const jest = join(repositoryDir, 'node_modules/jest/bin/jest.js')
  const ran = spawnSync(process.execPath, [jest, '--ci', '--json', '-i'], {
    cwd: dir,
    encoding: 'utf8',
  })
  const { testResults } = JSON.parse(ran.stdout) as {
    testResults: {
      assertionResults: { title: string; status: string; failureMessages: string[] }[]
    }[]
  }
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  return Object.fromEntries(
    results.map(({ title, status, failureMessages }) => [title, failureMessages[0] ?? status]),
  )
}

it('gives an error of a shared package the class of the test, and each file its own variables and modules', () => {
  const both = `
    const own = require('./own')
    test('NAME: own modules are new', () => expect(own.uses++).toBe(0))
    test('NAME: variables are as they were', () => {
      expect(process.env.LEFT_BY_A_TEST).toBeUndefined()
      process.env.LEFT_BY_A_TEST = 'yes'
    })
    test('NAME: nothing is kept of an ended file', () => {
      const states = Object.getOwnPropertySymbols(globalThis).filter(
        ({ description }) => description === 'JEST_STATE_SYMBOL',
      )
      expect(states).toHaveLength(1)
    })
    test('NAME: errors are errors', () => {
      const { DatabaseError } = require('pg')
      expect(new DatabaseError('it said no', 1, 'error') instanceof Error).toBe(true)
    })`
  const results = run({
    'own.js': 'exports.uses = 0',
    'a.test.js': both.replaceAll('NAME', 'a'),
    'b.test.js': both.replaceAll('NAME', 'b'),
  })
  expect(results).toEqual({
    'a: own modules are new': 'passed',
    'a: variables are as they were': 'passed',
    'a: nothing is kept of an ended file': 'passed',
    'a: errors are errors': 'passed',
    'b: own modules are new': 'passed',
    'b: variables are as they were': 'passed',
    'b: nothing is kept of an ended file': 'passed',
    'b: errors are errors': 'passed',
  })
})
