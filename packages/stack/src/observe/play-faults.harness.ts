import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCommand } from '@malipo/testing/command'
import { eventually } from '@malipo/testing/eventually'
import { faultEnvironment } from '@malipo/testing/faults/preload'
import { openSmallDisk } from '@malipo/testing/faults/small-disk'
import type { StackFile } from '../stack-file'
import { startStack } from '../start.harness'
import { faults } from './faults.harness'
import { playBlip, playFault, type Raised, untilQuiet } from './play-fault.harness'

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
  const disk = openSmallDisk()
  const dir = join(disk?.dir ?? home, 'stack')
  keepPrometheusElsewhere(dir, home)
  const running = startStack(dir, ['--observe'], faultEnvironment(home))
  const raised: Raised[] = []
  try {
    const stack = await running.ready()
    await untilAudited(stack)
    for (const fault of faults.slice(options.first - 1, options.last)) {
      const observed = { dir, stack, faultsDir: home, disk }
      const played = await play(observed, fault)
      const later = await untilQuiet(observed)
      const one = { ...played, alerts: [...new Set([...played.alerts, ...later])].sort() }
      raised.push(one)
      process.stdout.write(`${JSON.stringify(one)}\n`)
    }
  } finally {
    running.child.kill('SIGTERM')
    await running.ended()
    disk?.remove()
    rmSync(home, { recursive: true, force: true })
  }
  return raised.every(isRight) ? 0 : 1
}

/** Waits until each ledger was audited, because a ledger without an audit raises an alert. */
async function untilAudited({ processes }: StackFile): Promise<void> {
  for (const name of ['ledger-ke', 'ledger-ug']) {
    const url = processes[name]?.metrics_url ?? ''
    const isAudited = async () =>
      (await (await fetch(url)).text()).includes('\nmalipo_audited_timestamp_seconds ')
    await eventually(`${name} is audited`, isAudited, 120_000, 1_000)
  }
}

/** Keeps the data of Prometheus off the disk of the stack, so that Prometheus still works when that disk is full. */
function keepPrometheusElsewhere(dir: string, home: string): void {
  const data = join(home, 'prometheus')
  mkdirSync(data)
  mkdirSync(dir)
  symlinkSync(data, join(dir, 'prometheus'))
}

function isRight({ wanted, alerts, seconds }: Raised): boolean {
  return alerts.join() === wanted && seconds <= 120
}
