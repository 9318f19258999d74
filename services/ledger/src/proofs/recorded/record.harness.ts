import { inspect } from 'node:util'
import { readCommand } from '@malipo/testing/command'
import startDatabases from '@malipo/testing/start-databases'
import stopDatabases from '@malipo/testing/stop-databases'
import { writeExchanges } from './exchanges.harness'
import type { Played } from './recording.harness'
import { playScenarios } from './scenarios.harness'

const help = `Usage: npm run record

Plays every scenario of services/ledger/src/proofs/recorded on its own ledger and writes what was asked and answered to
services/ledger/fixtures/exchanges, with new digests. The suite compares the ledger with these files, so record again only
where an answer changes on purpose, and read the difference.

  --help         this text
`

/** Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  if (readCommand(args, { help, numbers: {} }) === undefined) return 0
  await startDatabases()
  const played = await playScenarios()
  await stopDatabases()
  const problems = Object.entries(played).filter(([, one]) => !isSound(one))
  for (const [name, { broken, failure }] of problems) {
    process.stderr.write(`${name}: ${inspect({ broken, failure }, { depth: 5 })}
`)
  }
  if (problems.length > 0) return 1
  const exchanges = Object.entries(played).map(([name, one]) => [name, one.exchanges] as const)
  writeExchanges(Object.fromEntries(exchanges))
  return 0
}

const isSound = ({ broken, failure }: Played) =>
  Object.keys(broken).length === 0 && failure === undefined
