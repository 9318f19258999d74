#!/usr/bin/env node
// `npm test`: every check and test in one command. It goes on when a step fails, so that one run shows everything; its
// last line is `N passed, N failed, N skipped`. With paths it runs their tests alone.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { runFiles, testsOf } from '../../testing/bin/run-files.mjs'
import { endWithSignals, runSteps } from '../../testing/bin/run-steps.mjs'
import { steps } from '../../testing/bin/steps.mjs'
import { repositoryDir, setUpForAll } from './set-up.mjs'

const help = `Usage: npm test [-- --only STEP]...
       npm test -- PATH... [--name TEXT]

Installs and builds what is missing, then runs every check and every test on separate databases and ports.
  --only STEP   run this step alone, or all steps of a project, such as db; may be repeated
  PATH          run the tests of this file, or below this folder, alone
  --name TEXT   of these only the tests whose name this regular expression finds
  --help        this text

Steps:
${steps.map(({ name, title }) => `  ${name.padEnd(8)}${title}`).join('\n')}
`

const print = (line) => process.stdout.write(`${line}\n`)

async function main() {
  const { values, positionals } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      name: { type: 'string' },
      help: { type: 'boolean' },
    },
    allowPositionals: true,
  })
  if (values.help) return process.stdout.write(help)
  if (positionals.length > 0) return testFiles(positionals, values)
  if (values.name !== undefined) throw new Error(`--name needs a PATH\n\n${help}`)
  const isCalled = ({ name, project }, only) => only === name || only === project
  const unknown = values.only.filter((only) => !steps.some((step) => isCalled(step, only)))
  if (unknown.length > 0) throw new Error(`There is no step ${unknown.join(', ')}\n\n${help}`)
  endWithSignals()
  const notSetUp = await setUpForAll().catch((error) => error)
  if (notSetUp !== undefined) {
    print(`✗ set-up: ${notSetUp.message}`)
    // A package that did not build fails one step or two; the other steps can still run where Jest is installed.
    if (!existsSync(join(repositoryDir, 'node_modules/.bin/jest'))) throw notSetUp
  }
  const wanted = steps.filter(
    (step) => values.only.length === 0 || values.only.some((only) => isCalled(step, only)),
  )
  const { passed, skipped, ...run } = await runSteps(wanted, { cwd: repositoryDir, print })
  const failed = run.failed + (notSetUp === undefined ? 0 : 1)
  if (failed > 0) process.exitCode = 1
  print(`\n${passed} passed, ${failed} failed, ${skipped} skipped`)
}

async function testFiles(paths, { only, name }) {
  if (only.length > 0) throw new Error(`--only and PATH do not go together\n\n${help}`)
  const tests = paths.map((path) => testsOf(path, { cwd: process.cwd(), repositoryDir }))
  if (!wasBuilt() || tests.some(({ needsBuild }) => needsBuild)) await setUpForAll()
  const patterns = tests.map(({ pattern }) => pattern)
  process.exitCode = await runFiles(patterns, { repositoryDir, name })
}

const wasBuilt = () => existsSync(join(repositoryDir, 'packages/stack/dist'))

main().catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
  print('0 passed, 1 failed, 0 skipped')
})
