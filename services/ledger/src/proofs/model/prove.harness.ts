import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readCommand } from '@malipo/testing/command'
import { withTables } from './model-tables.harness'

const help = `Usage: npm run prove [-- --only N]

Checks the Promela model of a checkout (services/ledger/src/proofs/model/checkout.pml) in every order of events there is,
then plants each of its mutants and sees that the model checker finds it. Takes some minutes and 3 GB of memory.

  --only N   checks mutant N only
  --help     this text

It needs spin and gcc. Debian: apt-get install --yes spin gcc
`

/** What each MUTANT of the model does wrong. */
export const modelMutants: Readonly<Record<number, string>> = {
  1: 'a receipt is posted as often as it is reported',
  2: 'a lost call is sent again',
  3: 'no check whether an intent is in flight',
  4: 'a second payment goes to the merchant too',
  5: 'a denial changes who has the money',
  6: 'late money of an expired attempt is refused',
  7: 'late money of a failed attempt is refused',
  8: 'a deadline takes the money back',
  9: 'the phone rings before that is written down',
  10: 'a refund is paid as often as it is asked for',
  11: 'a payer is asked for what is paid',
  12: 'a denial after paid counts',
  13: 'a late answer revives an expired attempt',
  14: 'another amount completes the checkout',
  15: 'the statement is not read',
  16: '"not found" ends an attempt',
  17: 'a report of payment holds nothing open',
  18: 'a failed attempt that is reported as paid is not asked about',
}

export const modelFile = join(__dirname, 'checkout.pml')

interface Checked {
  readonly hasErrors: boolean
  readonly states: string
  readonly seconds: string
  /** The first assertion that failed. */
  readonly failure: string
}

/** Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const options = readCommand(args, { help, numbers: { only: 0 } })
  if (options === undefined) return 0
  const missing = ['spin', 'gcc'].filter((tool) => spawnSync(tool, ['--version']).error)
  if (missing.length > 0) {
    process.stderr.write(
      `${missing.join(' and ')} not found. Debian: apt-get install --yes spin gcc\n`,
    )
    return 2
  }
  const model = readFileSync(modelFile, 'utf8')
  if (withTables(model) !== model) {
    process.stderr.write(
      'the model has other tables than the rules of intents, evidence and journal\n',
    )
    return 1
  }
  const numbers = options.only > 0 ? [options.only] : [0, ...Object.keys(modelMutants).map(Number)]
  let wrong = 0
  for (const mutant of numbers) {
    const checked = await check(mutant)
    const isRight = checked.hasErrors === mutant > 0
    if (!isRight) wrong += 1
    process.stdout.write(`${line(mutant, checked, isRight)}\n`)
  }
  process.stdout.write(wrong === 0 ? 'proven\n' : `${String(wrong)} not as it should be\n`)
  return wrong === 0 ? 0 : 1
}

function line(mutant: number, checked: Checked, isRight: boolean): string {
  const name = modelMutants[mutant] ?? 'the model as it is'
  const size = `${checked.states} states, ${checked.seconds} s`
  const end = checked.hasErrors ? 'an error is found' : 'no error'
  return `${isRight ? '✓' : '✗'} ${String(mutant).padStart(2)} ${name}: ${end} (${size})${checked.failure}`
}

async function check(mutant: number): Promise<Checked> {
  const dir = mkdtempSync(join(tmpdir(), 'malipo-prove-'))
  const run = async (command: string, args: readonly string[]) =>
    (await promisify(execFile)(command, args, { cwd: dir, maxBuffer: 64_000_000 })).stdout
  const began = performance.now()
  await run('spin', [`-DMUTANT=${String(mutant)}`, '-a', modelFile])
  await run('gcc', ['-w', '-O2', '-DSAFETY', '-DCOLLAPSE', '-DMEMLIM=8000', '-o', 'pan', 'pan.c'])
  const printed = await run('./pan', ['-m100000', '-w25'])
  rmSync(dir, { recursive: true })
  const failure = /assertion violated (.*) \(at depth/.exec(printed)?.[1]
  return {
    hasErrors: !/errors: 0$/m.test(printed),
    states: /([\d.e+]+) states, stored/.exec(printed)?.[1] ?? 'no',
    seconds: ((performance.now() - began) / 1_000).toFixed(1),
    failure: failure === undefined || failure.length > 60 ? '' : `: ${failure}`,
  }
}
