import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCommand } from '@malipo/testing/command'
import { startStack } from '../start.harness'
import { faults, playBlip, playFault, type Raised, untilQuiet } from './faults.harness'

const help = `Usage: npm run alerts [-- [blips] [--first N --last N]]

Starts a stack with Prometheus and Alertmanager, and plays one fault after another beside payments: each is held until its
alert has come and half a minute longer, and healed, and watched until no alert is left. Prints what reached an operator, and
fails where that was not its alert within two minutes and no other. Nine minutes a fault; there are ${String(faults.length)}.

  blips       ends each fault after 20 s instead: none may raise an alert
  --first N   begin with this one, from 1
  --last N    end with this one
  --help      this text
`

/** Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const options = readCommand(args, { help, numbers: { first: 1, last: faults.length } })
  if (options === undefined) return 0
  const play = options.positionals.includes('blips') ? playBlip : playFault
  const home = mkdtempSync(join(tmpdir(), 'malipo-alerts-'))
  const dir = join(home, 'stack')
  const running = startStack(dir, ['--observe'])
  const raised: Raised[] = []
  try {
    const stack = await running.ready()
    for (const fault of faults.slice(options.first - 1, options.last)) {
      const played = await play({ dir, stack }, fault)
      const later = await untilQuiet({ dir, stack })
      const one = { ...played, alerts: [...new Set([...played.alerts, ...later])].sort() }
      raised.push(one)
      process.stdout.write(`${JSON.stringify(one)}\n`)
    }
  } finally {
    running.child.kill('SIGTERM')
    await running.ended()
    rmSync(home, { recursive: true, force: true })
  }
  return raised.every(isRight) ? 0 : 1
}

function isRight({ wanted, alerts, seconds }: Raised): boolean {
  return alerts.join() === wanted && seconds <= 120
}
