import { openProgress, readCommand } from '@malipo/testing/command'
import { explore, type Finding, sound, shrink, narrate } from './explore.harness'

const help = `Usage: npm run simulate [-- --seeds N --from S]

Carries out N seeded worlds around the rules of the ledger: payers, a provider that repeats, reorders, loses and lies, a
worker that dies after any of its effects, an attacker and a clock. Each seed is its own world, the same on every
machine. Stops at the first that breaks an invariant, and prints its seed and the shortest story that still does.

  --seeds N   how many, 1000000 unless given
  --from S    the first seed, 1 unless given
  --help      this text
`

/** How many seeds are tried between two reports of progress. */
const stride = 1_000

/** Returns the exit code. */
export function main(args: readonly string[]): number {
  const options = readCommand(args, { help, numbers: { seeds: 1_000_000, from: 1 } })
  if (options === undefined) return 0
  const { seeds, from } = options
  const progress = openProgress('seeds', seeds)
  for (let done = 0; done < seeds; done += stride) {
    const count = Math.min(stride, seeds - done)
    const finding = explore(sound, from + done, count)
    if (finding !== undefined) {
      process.stdout.write(`${report(finding)}\n`)
      return 1
    }
    progress(done + count)
  }
  process.stdout.write(
    `${seeds.toLocaleString('en')} seeds from ${String(from)}: every invariant held\n`,
  )
  return 0
}

/** Describes what broke, with the shortest story that leads there. */
export function report({ seed, broken, plan }: Finding, species = sound): string {
  const story = narrate(species, shrink(species, plan, broken))
  return [`seed ${String(seed)} breaks: ${broken}`, ...story.map((line) => `  ${line}`)].join('\n')
}
