import { readFileSync } from 'node:fs'
import { readCommand } from '@malipo/testing/command'
import { align } from '../table'
import { type Measured, sumOf } from './measure'
import { median, type Result, unitNames } from './report'

const help = `Usage: npm run bench -- compare BEFORE.json AFTER.json

Two files that \`bench -- services --json PATH\` has written: what each unit took of the processors, for each number in
flight and each process, before and after. The middle of the rounds.

  --help   this text
`

export function benchCompare(args: readonly string[]): number {
  const options = readCommand(args, { help, numbers: {} })
  if (options === undefined) return 0
  const [before, after] = options.positionals
  if (before === undefined || after === undefined) {
    process.stderr.write(help)
    return 2
  }
  process.stdout.write(`${compare(readResult(before), readResult(after))}\n`)
  return 0
}

function readResult(file: string): Result {
  return JSON.parse(readFileSync(file, 'utf8')) as Result
}

/** Returns a line for each unit, number in flight and process that took at least a hundredth of a millisecond. */
export function compare(before: Result, after: Result): string {
  const lines = (before.rounds[0]?.levels ?? []).flatMap(({ inFlight, payment }) =>
    unitNames.flatMap((unit) =>
      ['all', ...Object.keys(payment.processorMs)].map((name) => {
        const of = (result: Result) =>
          median(
            result.rounds.flatMap(({ levels }) =>
              levels
                .filter((level) => level.inFlight === inFlight)
                .map((level) => msOf(level[unit], name)),
            ),
          )
        return { unit, inFlight, name, before: of(before), after: of(after) }
      }),
    ),
  )
  const shown = lines.filter((line) => line.before >= 0.01 || line.after >= 0.01)
  return align([
    ['unit', 'in flight', 'process', 'before ms', 'after ms', 'after / before'],
    ...shown.map((line) => [
      line.unit,
      String(line.inFlight),
      line.name,
      line.before.toFixed(2),
      line.after.toFixed(2),
      (line.after / line.before).toFixed(2),
    ]),
  ])
}

const msOf = ({ processorMs }: Measured, name: string) =>
  name === 'all' ? sumOf(processorMs) : (processorMs[name] ?? 0)
