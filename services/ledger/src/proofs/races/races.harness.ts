import { isDeepStrictEqual } from 'node:util'
import { openProgress, readCommand } from '@malipo/testing/command'
import { cloneDatabase } from '@malipo/testing/database'
import startDatabases from '@malipo/testing/start-databases'
import stopDatabases from '@malipo/testing/stop-databases'
import { brokenInvariants } from '../../invariants.harness'
import { payments } from '../../payments.harness'
import { startLedger } from '../../start.harness'
import { deliver, posted } from './deliveries.harness'
import { type At, deliverAtOnce, payAtDeadline, payAtOnce, type Round } from './rounds.harness'

const help = `Usage: npm run races [-- --rounds N --payments P --copies C]

Races on a real PostgreSQL, through a real ledger over gRPC:
  - N rounds of 50 payers of one checkout at one moment: one attempt, one prompt
  - N / 10 rounds of 100 deliveries of one callback at one moment: one posting
  - N / 10 rounds of a callback against the deadline, in both orders and in none: completed, one posting
  - P payments, each of which the provider calls about C times, shuffled and in parallel: P postings
and then every invariant of the ledger.

  --rounds N     1000 unless given
  --payments P   10000 unless given
  --copies C     100 unless given
  --help         this text
`

/** Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const options = readCommand(args, {
    help,
    numbers: { rounds: 1_000, payments: 10_000, copies: 100 },
  })
  if (options === undefined) return 0
  await startDatabases()
  const database = await cloneDatabase('ledger')
  const ledger = await startLedger(database)
  const at = { database, ledger, pay: payments(ledger) }
  const outcomes = [
    await many('rounds of 50 payers', options.rounds, () => payAtOnce(at)),
    await many('rounds of 100 deliveries', fewer(options.rounds), () => deliverAtOnce(at)),
    await many('callbacks before the deadline', fewer(options.rounds), () =>
      payAtDeadline(at, 'callback'),
    ),
    await many('callbacks after the deadline', fewer(options.rounds), () =>
      payAtDeadline(at, 'expiry'),
    ),
    await many('callbacks at the deadline', fewer(options.rounds), () =>
      payAtDeadline(at, 'neither'),
    ),
    await deliveries(at, options),
    await audited(at),
  ]
  await ledger.stop()
  await database.drop()
  await stopDatabases()
  return outcomes.includes(false) ? 1 : 0
}

function fewer(rounds: number): number {
  return Math.ceil(rounds / 10)
}

function printOutcome(isRight: boolean, line: string): boolean {
  process.stdout.write(`${isRight ? '✓' : '✗'} ${line}\n`)
  return isRight
}

async function many(what: string, rounds: number, round: () => Promise<Round>): Promise<boolean> {
  const progress = openProgress(what, rounds)
  const began = performance.now()
  for (let done = 1; done <= rounds; done += 1) {
    const { expected, got } = await round()
    if (!isDeepStrictEqual(got, expected)) {
      return printOutcome(false, `${what}: round ${String(done)} came to ${JSON.stringify(got)}`)
    }
    progress(done)
  }
  return printOutcome(true, `${rounds.toLocaleString('en')} ${what}, ${seconds(began)}`)
}

async function deliveries(
  at: At,
  { payments: count, copies }: { readonly payments: number; readonly copies: number },
): Promise<boolean> {
  const before = await posted(at)
  const began = performance.now()
  const says = {
    'payments begun': openProgress('payments begun', count),
    deliveries: openProgress('deliveries', count * copies),
  }
  await deliver(at, {
    payments: count,
    copies,
    progress: (what, done) => {
      says[what](done)
    },
  })
  const after = await posted(at)
  const transfers = after.transfers - before.transfers
  const completed = after.completed - before.completed
  const received = after.deliveries - before.deliveries
  const isRight =
    transfers === count &&
    completed === count &&
    after.receipts === after.transfers &&
    received >= count * copies
  return printOutcome(
    isRight,
    `${received.toLocaleString('en')} deliveries of ${count.toLocaleString('en')} payments: ` +
      `${transfers.toLocaleString('en')} postings, ${completed.toLocaleString('en')} completed, ${seconds(began)}`,
  )
}

async function audited({ database }: At): Promise<boolean> {
  const broken = await brokenInvariants(database)
  const names = Object.keys(broken)
  return printOutcome(
    names.length === 0,
    names.length === 0 ? 'every invariant holds' : names.join('; '),
  )
}

function seconds(began: number): string {
  return `${((performance.now() - began) / 1_000).toFixed(0)} s`
}
