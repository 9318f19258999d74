#!/usr/bin/env node
// `npm run demo`: plays the main job of Malipo, one payment, and prints the time of each step.
import { once } from 'node:events'
import process from 'node:process'
import { setUp } from './set-up.mjs'
import { claimStack } from './claim-stack.mjs'
import { askedToStop, onProgress, runToTheEnd } from './run-to-the-end.mjs'

const help = `Usage: npm run demo [-- --dir PATH]

Creates a checkout, pays it from a virtual phone and reads it as completed, with the time of each step. Plays on the
stack that runs in .stack, or starts one there and stops it afterwards.

  --dir PATH   the folder of the stack
  --help       this text
`

async function main() {
  if (process.argv.includes('--help')) return process.stdout.write(help)
  await setUp()
  const { findRunningStack } = await import('../dist/claim.js')
  const { readOptions } = await import('../dist/config.js')
  const { playMainJob } = await import('../dist/demo.js')
  const options = readOptions(process.argv.slice(2), process.env)
  const signal = askedToStop()
  const running = findRunningStack(options.dir)
  const own = running
    ? undefined
    : await claimStack({ ...options, ports: 'auto' }, { onProgress, signal })
  const stopped = once(signal, 'abort').then(() => Promise.reject(signal.reason))
  try {
    await Promise.race([playMainJob(running ?? own.file, timeline()), stopped])
  } finally {
    await own?.stop()
  }
}

/** Prints each step as it happens: milliseconds since the first, and since the one before. */
function timeline() {
  const startedAt = performance.now()
  let before = startedAt
  return (what, detail) => {
    const now = performance.now()
    const since = (then) => `${Math.round(now - then)} ms`
    process.stdout.write(
      `${since(startedAt).padStart(9)}  ${`+${since(before)}`.padStart(9)}  ${what.padEnd(20)}  ${detail}\n`,
    )
    before = now
  }
}

runToTheEnd(main)
