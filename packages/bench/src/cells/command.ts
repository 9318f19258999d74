import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { processesOf } from '@malipo/stack/start.harness'
import { type CommandOptions, openProgress, readCommand } from '@malipo/testing/command'
import { measure, type Measured } from '../chain/measure'
import { makeMerchants } from '../chain/merchants'
import { type Started, withStack } from '../chain/own-stack'
import { openPayers } from '../chain/payers'
import { msBetween, readProcessorMs } from '../chain/processor-time'
import { pay, requestsOfPayment } from '../chain/units'
import { load } from '../table'
import { tableOfCells } from './report'

const help = `Usage: npm run bench -- cells [OPTIONS]

Starts a stack of one cell and, when that has ended, one of two, and has whole payments made on each, of merchants of every cell in
turn. Prints what a payment took of the processors of each service, and the ratio: the machines that a country needs grow with its
payments as long as it stays 1.

  --rounds N      3 unless given: of each, in turns
  --payments N    of a round for each cell, 600 unless given, behind 200 that are not counted
  --in-flight N   in each cell, 16 unless given: a cell that has less to do does less at once
  --help          this text
`

const numbers = { rounds: 3, payments: 600, 'in-flight': 16 }
type CellsOptions = CommandOptions<keyof typeof numbers, never>

const warmUp = 200
const restSeconds = 15
/** The interface allows an account 120 requests a minute. */
const requestsOfMerchant = 100

export async function benchCells(args: readonly string[]): Promise<number> {
  const options = readCommand(args, { help, numbers })
  if (options === undefined) return 0
  const before = load()
  const show = openProgress('rounds', options.rounds * 2)
  const rounds: { readonly one: Measured; readonly two: Measured }[] = []
  while (rounds.length < options.rounds) {
    const one = await measureCells(1, options)
    show(rounds.length * 2 + 1)
    rounds.push({ one, two: await measureCells(2, options) })
    show(rounds.length * 2)
  }
  process.stdout.write(`${tableOfCells(rounds)}\n
load average before ${before}, after ${load()}\n`)
  return 0
}

async function measureCells(cells: 1 | 2, options: CellsOptions): Promise<Measured> {
  const dir = mkdtempSync(join(tmpdir(), 'malipo-cells-'))
  const flags = cells === 1 ? [] : ['--cells', '2']
  try {
    return await withStack(dir, { flags }, (started) =>
      measurePayments(started, dir, {
        payments: options.payments * cells,
        inFlight: options['in-flight'] * cells,
      }),
    )
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Measures payments. The processor time that the stack takes at rest is subtracted. */
async function measurePayments(
  { file }: Started,
  dir: string,
  { payments, inFlight }: { readonly payments: number; readonly inFlight: number },
): Promise<Measured> {
  const processes = processesOf(dir)
  const port = Number(new URL(file.hosts.ke.base_url).port)
  const nextPayer = await openPayers(file.simulator.url)
  const requests = (payments + warmUp) * requestsOfPayment
  // The number of merchants is even, because accounts go to the two cells in turn.
  const count = 2 * Math.ceil(requests / requestsOfMerchant / 2)
  const merchants = await makeMerchants({ file, dir, port, count, nextPayer })
  const measured = await merchants.withBudget(count * requestsOfMerchant, async (accountOf) => {
    const payMany = (units: number, first: number) =>
      measure({
        ...{ port, processes, inFlight, units },
        run(connection, unit) {
          const { secretKey } = accountOf(((first + unit) % count) * requestsOfMerchant)
          return pay(connection, { secretKey, ...nextPayer() })
        },
      })
    await payMany(warmUp, 0)
    return payMany(payments, warmUp)
  })
  const resting = readProcessorMs(processes)
  await wait(restSeconds * 1_000)
  const atRest = msBetween(resting, readProcessorMs(processes))
  const share = 1 / measured.pace / restSeconds
  const withoutRest = Object.entries(measured.processorMs).map(
    ([name, ms]) => [name, ms - (atRest[name] ?? 0) * share] as const,
  )
  return { ...measured, processorMs: Object.fromEntries(withoutRest) }
}
