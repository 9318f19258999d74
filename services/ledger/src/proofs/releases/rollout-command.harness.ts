import { readCommand } from '@malipo/testing/command'
import startDatabases from '@malipo/testing/start-databases'
import stopDatabases from '@malipo/testing/stop-databases'
import { brokenInvariants } from '../../invariants.harness'
import { openEmptyDatabase, rollOut } from './rollout.harness'

const help = `Usage: npm run rollout [-- --payments N]

Rolls the ledger of today out beside the pinned earlier one, and back, on one database, at 20 payments a second: N payments in
each of six phases. Then every invariant of the ledger.

  --payments N   600 unless given: half a minute a phase
  --help         this text
`

/** Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const options = readCommand(args, { help, numbers: { payments: 600 } })
  if (options === undefined) return 0
  await startDatabases()
  const database = await openEmptyDatabase()
  const rollout = await rollOut(database, options.payments)
  const broken = await brokenInvariants(database)
  process.stdout.write(`${JSON.stringify({ ...rollout, broken }, undefined, 2)}\n`)
  await database.drop()
  await stopDatabases()
  const isRight = rollout.failures.length === 0 && rollout.wrong === 0
  return isRight && Object.keys(broken).length === 0 ? 0 : 1
}
