import { readCommand } from '@malipo/testing/command'
import { type FailOverResult, playFailOver } from './play-fail-over'

const help = `Usage: npm run fail-over [-- OPTIONS]

Starts a stack with a standby, takes payments, kills PostgreSQL and removes its data in the middle, promotes the standby, goes on
taking payments, and compares what merchants and payers were told with the provider's book and the journal. Prints how long no
checkout was acknowledged. Ends with 1 when something that was acknowledged is lost, a payer was asked twice, a receipt was
posted twice or never, the audit finds something, or the first checkout took longer than 30 s.

  --times N    so many times, each with its own stack (1)
  --pace N     payments a second (20)
  --seconds N  of payments before the loss, and after it (10)
  --help       this text
`

const numbers = { times: 1, pace: 20, seconds: 10 }
const recoveryMaxMs = 30_000

/** Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const given = readCommand(args, { help, numbers })
  if (given === undefined) return 0
  const options = {
    paymentsPerSecond: given.pace,
    secondsEach: given.seconds,
    onProgress: (line: string) => process.stderr.write(`${line} …\n`),
  }
  let failed = 0
  for (let round = 1; round <= given.times; round += 1) {
    const result = await playFailOver(options)
    if (!isGood(result)) failed += 1
    process.stdout.write(report(round, result))
  }
  return failed === 0 ? 0 : 1
}

export function isGood({ recoveryMs, wrong }: FailOverResult): boolean {
  return wrong.length === 0 && recoveryMs < recoveryMaxMs
}

function report(round: number, { recoveryMs, paid, wrong }: FailOverResult): string {
  const seconds = `${(recoveryMs / 1_000).toFixed(1)} s`
  const line = `fail-over ${String(round)}: back after ${seconds}, ${String(paid)} payments, ${String(wrong.length)} wrong`
  return [line, ...wrong.map((sentence) => `  WRONG: ${sentence}`), ''].join('\n')
}
