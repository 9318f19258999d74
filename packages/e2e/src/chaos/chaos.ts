import { writeFileSync } from 'node:fs'
import { readCommand } from '@malipo/testing/command'
import type { Harm } from './check-history'
import { type ChaosReport, playChaos } from './play-chaos'
import { plants } from './plants'
import { type FaultKind, faultKinds } from './schedule'

const help = `Usage: npm run chaos -- [OPTIONS]

Starts a stack with two gateways, ledgers and workers a country, takes orders over M-PESA's prompt and Pay Bill menu, MTN,
Airtel and cards, whose payers approve, cancel, have no money, ignore or are late, and meanwhile kills processes and plays other
faults from a seeded timeline. Then waits until all is calm, and compares what clients were answered with the provider's book, the
journal, the audit and the logs. Prints how many kills there were, at which rate, what was lost, doubled or wrong, and how long money
took to settle. Exits with 1, and the seed, when anything is wrong.

  --seconds N     how long faults go on, 300 unless given
  --kills N       SIGKILLs, each process in turn, 150 unless given
  --each N        of each other fault, 4 unless given
  --rate N        orders that begin in a second, 20 unless given
  --seed N        of the timeline and the buyers, 1 unless given
  --faults A,B    beside kills, of ${faultKinds.slice(1).join(', ')}; all unless given
  --plant NAME    a bug in the services; exits with 1 when it is not found: ${Object.keys(plants).join(', ')}
  --json PATH     writes the report there too
  --help          this text
`

const numbers = { seconds: 300, kills: 150, each: 4, rate: 20, seed: 1 }

/** Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const options = readCommand(args, { help, numbers, texts: ['faults', 'json', 'plant'] })
  if (options === undefined) return 0
  const { seconds, kills, each, rate, seed, faults, json } = options
  if (options.plant !== undefined && !(options.plant in plants))
    throw new Error(`--plant is one of ${Object.keys(plants).join(', ')}`)
  const report = await playChaos({
    plant: plants[options.plant ?? ''],
    ...{ kills, each, rate, seed, lengthMs: seconds * 1_000, kinds: readKinds(faults) },
    onProgress: (line) => process.stderr.write(`${line}\n`),
  })
  process.stdout.write(textOf(report))
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`)
  const isClean = report.findings.length === 0
  return isClean === (options.plant === undefined) ? 0 : 1
}

function readKinds(text: string | undefined): readonly FaultKind[] {
  if (text === undefined) return faultKinds
  return text.split(',').map((word) => {
    const kind = faultKinds.find((one) => one === word)
    if (kind === undefined) throw new Error(`--faults are of ${faultKinds.join(', ')}`)
    return kind
  })
}

function textOf({ findings, settleMs, faults, ...counts }: ChaosReport): string {
  const countOf = (harm: Harm) => findings.filter((finding) => finding.harm === harm).length
  const harms = (['lost', 'doubled', 'wrong', 'double prompt'] as const).map(
    (harm) => [harm, countOf(harm)] as const,
  )
  const { p50, p99, max } = settleMs
  const rows: readonly (readonly [string, string | number])[] = [
    ...Object.entries(counts),
    ['faults', JSON.stringify(faults)],
    ['settled after, ms', `p50 ${String(p50)}, p99 ${String(p99)}, max ${String(max)}`],
    ...harms,
    ...findings.slice(0, 40).map(({ rule, text }) => [`✗ ${rule}: `, text] as const),
  ]
  return rows.map(([name, value]) => `${name.padEnd(20)}${String(value)}\n`).join('')
}
