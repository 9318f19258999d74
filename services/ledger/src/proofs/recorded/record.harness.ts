import { inspect } from 'node:util'
import { readCommand } from '@malipo/testing/command'
import startDatabases from '@malipo/testing/start-databases'
import stopDatabases from '@malipo/testing/stop-databases'
import { writeExchanges } from './exchanges.harness'
import { type Played, playScenario, type Scenario } from './recording.harness'
import { callbacks } from './scenarios/callbacks.harness'
import { cards } from './scenarios/cards.harness'
import { checkouts } from './scenarios/checkouts.harness'
import { handles } from './scenarios/handles.harness'
import { operatorActs } from './scenarios/operator-acts.harness'
import { payBill } from './scenarios/pay-bill.harness'
import { prompts } from './scenarios/prompts.harness'
import { queries } from './scenarios/queries.harness'
import { reading } from './scenarios/reading.harness'
import { reconciling } from './scenarios/reconciling.harness'
import { refunds } from './scenarios/refunds.harness'
import { reports } from './scenarios/reports.harness'
import { suspense } from './scenarios/suspense.harness'
import { wholeShillings } from './scenarios/whole-shillings.harness'

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

export const scenarios: readonly Scenario[] = [
  ...[checkouts, prompts, callbacks, queries, reports, handles, cards],
  ...[payBill, wholeShillings, operatorActs, suspense, refunds, reading, reconciling],
]

/** Scenarios spend half of their time waiting for the ledger's timers, so a few are played at a time. */
const playedAtOnce = 4

export async function playScenarios(): Promise<Readonly<Record<string, Played>>> {
  const waiting = [...scenarios]
  const played: Record<string, Played> = {}
  const playNext = async (): Promise<void> => {
    const scenario = waiting.shift()
    if (scenario === undefined) return
    played[scenario.name] = await playScenario(scenario)
    await playNext()
  }
  await Promise.all(Array.from({ length: playedAtOnce }, playNext))
  return played
}
