import { parseArgs } from 'node:util'
import { drillRails } from './pay-by-rail'
import { type DrillResult, playDrill } from './play-drill'

const help = `Usage: npm run drill [-- OPTIONS]

Starts a stack, pays it by every mobile rail of both countries, backs it up meanwhile, goes on paying, kills PostgreSQL and
removes its data, restores to the last archived moment, pays again, and compares the provider's book with the journals.
Prints RPO (between the last commit that is there and the loss), RTO (until both countries are paid again) and, by rail, what
the restore had lost, what came back, and what only the provider knows. Ends with 1 when a payer was asked twice, a receipt
was posted twice, a Pay Bill number was given out twice, M-PESA's statement did not bring back all of its payments, or a
payment attempt of Uganda that the restore brought back did not end within a minute.

  --rounds N   payments by each rail in each of the three parts (20)
  --help       this text

MTN and Airtel have no statement: prompts that were started after the last archived moment are listed as unknown.
`

/** A round each second. */
const paceMs = 1_000

/** Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '20' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(help)
    return 0
  }
  const rounds = Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new Error(`--rounds has to be a whole number from 1 on, and not ${values.rounds}`)
  }
  const result = await playDrill({
    rounds: { before: rounds, archived: rounds, lost: rounds },
    paceMs,
    isLogArchivedInTime: true,
    environment: {},
    onProgress: (line) => process.stderr.write(`${line.replace(/ …$/, '')} …\n`),
  })
  process.stdout.write(report(result))
  return isGood(result) ? 0 : 1
}

/** Whether a restore passed. Unknown payments of a provider without a statement are reported and are no failure. */
export function isGood({ wrong, rails }: DrillResult): boolean {
  return wrong.length === 0 && rails.mpesa.unknown.length + rails.pay_bill.unknown.length === 0
}

function report({ rpoMs, rtoMs, rails, wrong }: DrillResult): string {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
  const rows = drillRails.map((rail) => {
    const { inBook, lostByRestore, foundAgain, unknown } = rails[rail]
    const counts = [inBook, lostByRestore, foundAgain, unknown.length]
    return [rail.padEnd(13), ...counts.map((count) => String(count).padStart(9))].join('')
  })
  const head = [
    'rail'.padEnd(13),
    ...['paid', 'lost', 'found', 'unknown'].map((word) => word.padStart(9)),
  ]
  const unknown = drillRails.flatMap((rail) =>
    rails[rail].unknown.map(
      (receipt) => `unknown: ${rail} ${receipt}; ask the provider for its report`,
    ),
  )
  const lines = [
    `RPO ${seconds(rpoMs)}`,
    `RTO ${seconds(rtoMs)}`,
    head.join(''),
    ...rows,
    ...unknown,
    ...wrong.map((sentence) => `WRONG: ${sentence}`),
  ]
  return `${lines.join('\n')}\n`
}
