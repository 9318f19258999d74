import { readCommand } from '@malipo/testing/command'
import { startStack } from '../running-stack'
import { rollUnderPayments } from './roll'

const help = `Usage: npm run rolling-restarts -- [OPTIONS]

Starts a stack with two gateways, ledgers and workers a country, makes checkouts and pays them from the phones of the simulator at
a steady pace, and meanwhile asks one replica of Kenya after another to end (SIGTERM), each when the one before serves again. A
request whose kept connection ended without an answer is sent once more, and counted. Exits with 1 if a request or a
callback failed, or if the provider's book, the journal and a merchant differ.

  --per-second N  payments begun in a second, 5 unless given
  --rounds N      restarts of each of the six replicas, 3 unless given
  --help          this text
`

const numbers = { 'per-second': 5, rounds: 3 }

/** Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const options = readCommand(args, { help, numbers })
  if (options === undefined) return 0
  const stack = await startStack({}, ['--replicas', '2'])
  try {
    const { rounds, 'per-second': perSecond } = options
    const report = await rollUnderPayments(stack, { perSecond, rounds })
    const { failed, wrong, ...counts } = report
    process.stdout.write(`${JSON.stringify(counts)}\n`)
    for (const line of [...failed, ...wrong]) process.stdout.write(`${line}\n`)
    process.stdout.write(`${String(failed.length)} failed, ${String(wrong.length)} wrong\n`)
    return failed.length + wrong.length === 0 ? 0 : 1
  } finally {
    await stack.stop()
  }
}
