import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { StackFile } from '@malipo/stack/stack-file'
import { readCommand } from '@malipo/testing/command'
import { measure } from '../chain/measure'
import { makeMerchants } from '../chain/merchants'
import { withStack } from '../chain/own-stack'
import { openPayers } from '../chain/payers'
import { pay, requestsOfPayment } from '../chain/units'
import { align } from '../table'
import { askForStatements, type Counts, openStatements, readCounts } from './read-counts'

const help = `Usage: npm run bench -- counts [OPTIONS]

Starts a stack by the code of npm start and counts what one whole payment takes: calls between processes, statements and
commits, bytes of WAL, pages and index scans, commands of Redis. What the stack does at rest meanwhile is taken off. Counts
are the same on a busy machine.

  --payments N      100 unless given
  --in-flight N     4 unless given
  --json PATH       writes the counts there too
  --help            this text
`

const numbers = { payments: 100, 'in-flight': 4 }
/** Longer than the 30 seconds between two audits of the ledger, so that the rest includes one. */
const restSeconds = 35

interface Counted {
  readonly ofPayment: Counts
  /** Counts in a second at rest, measured after the payments. */
  readonly atRest: Counts
}

export async function benchCounts(args: readonly string[]): Promise<number> {
  const options = readCommand(args, { help, numbers, texts: ['json'] })
  if (options === undefined) return 0
  const dir = mkdtempSync(join(tmpdir(), 'malipo-counts-'))
  process.stderr.write('starting a stack, twice\n')
  await withStack(dir, {}, ({ file }) => askForStatements(file))
  const counts = await withStack(dir, {}, ({ file }) =>
    countPayments(file, dir, { payments: options.payments, inFlight: options['in-flight'] }),
  ).finally(() => {
    rmSync(dir, { recursive: true, force: true })
  })
  process.stdout.write(`${tableOf(counts)}\n`)
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify(counts, null, 2)}\n`)
  return 0
}

async function countPayments(
  file: StackFile,
  dir: string,
  { payments, inFlight }: { readonly payments: number; readonly inFlight: number },
): Promise<Counted> {
  await openStatements(file)
  const port = Number(new URL(file.hosts.ke.base_url).port)
  const nextPayer = await openPayers(file.simulator.url)
  const count = Math.ceil((payments * requestsOfPayment) / 100)
  const merchants = await makeMerchants({ file, dir, port, count, nextPayer })
  const secondsBetween = async (work: () => Promise<unknown>) => {
    const before = await readCounts(file)
    const beganAt = performance.now()
    await work()
    const seconds = (performance.now() - beganAt) / 1_000
    return { seconds, done: difference(before, await readCounts(file)) }
  }
  const paid = await merchants.withBudget(payments * requestsOfPayment, (accountOf) =>
    secondsBetween(() =>
      measure({
        ...{ port, processes: {}, inFlight, units: payments },
        run(connection, unit) {
          const { secretKey } = accountOf(unit * requestsOfPayment)
          return pay(connection, { secretKey, ...nextPayer() })
        },
      }),
    ),
  )
  const rest = await secondsBetween(() => wait(restSeconds * 1_000))
  const atRest = scaled(rest.done, 1 / rest.seconds)
  const underWay = difference(scaled(atRest, paid.seconds), paid.done)
  return { ofPayment: scaled(underWay, 1 / payments), atRest }
}

function scaled(counts: Counts, factor: number): Counts {
  return Object.fromEntries(Object.entries(counts).map(([what, count]) => [what, count * factor]))
}

function difference(before: Counts, after: Counts): Counts {
  return Object.fromEntries(
    Object.entries(after).map(([what, count]) => [what, count - (before[what] ?? 0)]),
  )
}

/** Smaller counts are noise, and are not shown. */
const shownMin = 0.05

function tableOf({ ofPayment, atRest }: Counted): string {
  const shown = Object.keys(ofPayment).filter((what) =>
    [ofPayment, atRest].some((counts) => (counts[what] ?? 0) >= shownMin),
  )
  const cells = (what: string) =>
    [ofPayment, atRest].map((counts) => (counts[what] ?? 0).toFixed(2))
  return align([
    ['', 'a payment', 'a second at rest'],
    ...shown.toSorted().map((what) => [what, ...cells(what)]),
  ])
}
