#!/usr/bin/env node
// Runs a TypeScript file of this repository from its sources, without a build: `run-source.mjs FILE [ARGUMENTS]` calls
// what the file exports as `main` with the arguments. For the long proofs and the benchmarks, which no image contains.
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import process from 'node:process'

const condition = '--conditions=@malipo/source'
if (!process.execArgv.includes(condition)) {
  // Our own packages are read from their sources too, which is a choice that Node makes when it starts.
  const { spawnSync } = await import('node:child_process')
  const [, script, ...args] = process.argv
  const child = spawnSync(process.execPath, [condition, script, ...args], { stdio: 'inherit' })
  process.exit(child.status ?? 1)
}

const require = createRequire(import.meta.url)
require('./run-from-source.cjs')

const [, , file, ...args] = process.argv
// Ends the process when `main` is done: Node 20 may keep it alive for ever for a socket whose connection was never
// established.
process.exit(await require(resolve(file)).main(args))
