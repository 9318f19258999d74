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

/** Runs these test files in one worker, in this order, and returns the result of each test. */
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

it('each test file has new modules that are compiled once for all files, unchanged environment variables, and shared packages whose errors are instances of its Error', () => {
  const each = `
    const own = require('./own')
    test('NAME: own modules are new', () => expect(own.uses++).toBe(0))
    test('NAME: own code is compiled once', () => expect(own.code).toBe(process.ownCode ??= own.code))
    test('NAME: variables are as they were', () => {
      expect(process.env.LEFT_BY_A_TEST).toBeUndefined()
      process.env.LEFT_BY_A_TEST = 'yes'
    })
    test('NAME: nothing is kept of a file that has ended', async () => {
      require('node:v8').setFlagsFromString('--expose-gc')
      const clear = require('node:vm').runInNewContext('gc')
      await new Promise(setImmediate)
      clear()
      const kept = (process.ownModules ??= []).filter((own) => own.deref() !== undefined)
      process.ownModules.push(new WeakRef(own))
      // Jest itself keeps the environment of the file before for a while.
      expect(kept.length).toBeLessThan(2)
    })
    test('NAME: errors are errors', () => {
      const { DatabaseError } = require('pg')
      expect(new DatabaseError('refused', 1, 'error') instanceof Error).toBe(true)
    })`
  const results = run({
    'own.js': `
      exports.uses = 0
      exports.code = arguments.callee
      process.once('exit', () => exports.uses)`,
    'a.test.js': each.replaceAll('NAME', 'a'),
    'b.test.js': each.replaceAll('NAME', 'b'),
    'c.test.js': each.replaceAll('NAME', 'c'),
    'd.test.js': each.replaceAll('NAME', 'd'),
  })
  const outcomes = ['a', 'b', 'c', 'd'].flatMap((name) =>
    [
      'own modules are new',
      'own code is compiled once',
      'variables are as they were',
      'nothing is kept of a file that has ended',
      'errors are errors',
    ].map((outcome) => [`${name}: ${outcome}`, 'passed']),
  )
  expect(results).toEqual(Object.fromEntries(outcomes))
})
