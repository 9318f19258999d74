#!/usr/bin/env node
// `npm run promote`: the standby takes the place of the server of the databases.
import { join, resolve } from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { onProgress, runToTheEnd } from './run-to-the-end.mjs'
import { withLockFile } from './with-lock-file.mjs'

const help = `Usage: npm run promote [-- --dir PATH]

Of a stack that was started with --standby: ends the server of its databases, if it still runs, and has the standby take its
place. What was acknowledged is there. Services of a running stack connect again by themselves. Where none runs, as after a
reboot without the server's disk, start it after that: npm start -- --standby makes another standby. Take a backup then: an
older one goes on with the log of the promoted server, unless the lost one did not archive all that it had.

  --dir PATH   the folder of the stack, instead of .stack
  --help       this text
`

const options = { dir: { type: 'string', default: '.stack' }, help: { type: 'boolean' } }
const deadlineMs = 60_000

async function main() {
  const { values } = parseArgs({ options })
  if (values.help) return process.stdout.write(help)
  const dir = resolve(process.env.INIT_CWD ?? process.cwd(), values.dir)
  const { findRunningStack } = await import('../dist/claim.js')
  const stack = findRunningStack(dir)
  if (stack === undefined) return promoteWithoutStack(dir)
  if (stack.standby !== true) {
    throw new Error(
      `The stack in ${dir} runs without a standby: the next start with --standby makes one`,
    )
  }
  await promoteRunning(dir, stack.supervisor.pid)
}

async function promoteRunning(dir, pid) {
  const { readStackFile } = await import('../dist/stack-file.js')
  const from = performance.now()
  process.kill(pid, 'SIGUSR2')
  while (readStackFile(dir)?.standby !== false) {
    if (performance.now() - from > deadlineMs) {
      throw new Error(`It was not promoted within a minute: see the output of npm start`)
    }
    await wait(100)
  }
  const seconds = ((performance.now() - from) / 1_000).toFixed(1)
  process.stdout.write(`Promoted in ${seconds} s. Run npm run audit and npm run backup now.\n`)
}

async function promoteWithoutStack(dir) {
  const { claimDir } = await import('../dist/claim.js')
  const { promoteStopped } = await import('../dist/standby/promote-stopped.js')
  const turn = join(dir, 'claim.lock')
  const claim = () => withLockFile(turn, { onWait: () => undefined }, () => claimDir(dir))
  await promoteStopped({ dir, claim, onProgress })
  process.stdout.write(
    `Promoted. Run npm start -- --standby, npm run audit and npm run backup now.\n`,
  )
}

runToTheEnd(main)
