#!/usr/bin/env node
// `npm test`: the whole bar in one command. It goes on when a step fails, so that one run shows everything, and its last
// line is `N passed, N failed, N skipped`.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { endWithSignals, runSteps } from '../../testing/bin/run-steps.mjs'
import { steps } from '../../testing/bin/steps.mjs'
import { repositoryDir, setUp } from './set-up.mjs'

const help = `Usage: npm test [-- --only STEP]...

Installs and builds what is missing, then runs every check and every test on databases and ports of its own.
  --only STEP   run this step alone; may be repeated
  --help        this text

Steps:
${steps.map(({ name, title }) => `  ${name.padEnd(8)}${title}`).join('\n')}
`

const print = (line) => process.stdout.write(`${line}\n`)

async function main() {
  const { values } = parseArgs({
    options: { only: { type: 'string', multiple: true, default: [] }, help: { type: 'boolean' } },
  })
  if (values.help) return process.stdout.write(help)
  const unknown = values.only.filter((only) => !steps.some(({ name }) => name === only))
  if (unknown.length > 0) throw new Error(`There is no step ${unknown.join(', ')}\n\n${help}`)
  endWithSignals()
  const notSetUp = await setUp().catch((error) => error)
  if (notSetUp !== undefined) {
    print(`✗ set-up: ${notSetUp.message}`)
    // What was not built fails in one step or two; the others still have something to say.
    if (!existsSync(join(repositoryDir, 'node_modules/.bin/jest'))) throw notSetUp
  }
  const wanted = steps.filter(({ name }) => values.only.length === 0 || values.only.includes(name))
  const { passed, skipped, ...run } = await runSteps(wanted, { cwd: repositoryDir, print })
  const failed = run.failed + (notSetUp === undefined ? 0 : 1)
  if (failed > 0) process.exitCode = 1
  print(`\n${passed} passed, ${failed} failed, ${skipped} skipped`)
}

main().catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
  print('0 passed, 1 failed, 0 skipped')
})
