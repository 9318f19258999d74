#!/usr/bin/env node
// `npm run promote`: the standby takes the place of the server of the databases.
import { resolve } from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { runToTheEnd } from './run-to-the-end.mjs'

const help = `Usage: npm run promote [-- --dir PATH]

Of a stack that was started with --standby: ends the server of its databases, if it still runs, and has the standby take its
place. Services connect again by themselves. What was acknowledged is there. The next start with --standby makes another one.

  --dir PATH   the folder of the stack, instead of .stack
  --help       this text
`

const options = { dir: { type: 'string', default: '.stack' }, help: { type: 'boolean' } }
const deadlineMs = 60_000

const onProgress = (line) => process.stderr.write(`${line}\n`)

async function main() {
  const { values } = parseArgs({ options })
  if (values.help) return process.stdout.write(help)
  const { readStackFile } = await import('../dist/stack-file.js')
  const dir = resolve(process.env.INIT_CWD ?? process.cwd(), values.dir)
  const stack = readStackFile(dir)
  if (stack?.standby !== true) {
    throw new Error(`No stack with a standby runs in ${dir}: npm start -- --standby`)
  }
  const from = performance.now()
  process.kill(stack.supervisor.pid, 'SIGUSR2')
  while (readStackFile(dir)?.standby !== false) {
    if (performance.now() - from > deadlineMs) {
      throw new Error(`It was not promoted within a minute: see the output of npm start`)
    }
    await wait(100)
  }
  const seconds = ((performance.now() - from) / 1_000).toFixed(1)
  process.stdout.write(`Promoted in ${seconds} s. Run npm run audit now.\n`)
}

runToTheEnd(main, { onProgress })
