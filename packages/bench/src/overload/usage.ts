import { cpus } from 'node:os'
import type { StackFile } from '@malipo/stack/stack-file'

/** Processor seconds since a process or the machine started, and counts of shed requests, by name. */
export type Usage = Readonly<Record<string, number>>

const shedNames = ['read_shed', 'create_shed', 'pay_shed', 'call_shed'] as const

/** Processor seconds used so far by each process and the machine, and how many requests the gateway shed. */
export async function readUsage({ processes }: StackFile): Promise<Usage> {
  const { user, system } = process.cpuUsage()
  const usage: Record<string, number> = {
    generator: (user + system) / 1e6,
    machine: cpus().reduce((sum, { times }) => sum + times.user + times.sys + times.nice, 0) / 1e3,
  }
  for (const name of ['gateway-ke', 'ledger-ke', 'worker-ke', 'auth', 'simulator']) {
    const metrics = await readMetrics(processes[name]?.metrics_url)
    usage[name] = metrics.get('process_cpu_seconds_total') ?? 0
    if (name !== 'gateway-ke') continue
    for (const shed of shedNames) {
      usage[shed] = metrics.get(`malipo_events_total{name="${shed}"}`) ?? 0
    }
  }
  return usage
}

/** Reads the metrics of a process: its values by name with labels. */
export async function readMetrics(url: string | undefined): Promise<ReadonlyMap<string, number>> {
  if (url === undefined) throw new Error('the stack does not say where a service shows its metrics')
  const lines = (await (await fetch(url)).text()).split('\n')
  return new Map(
    lines.flatMap((line) => {
      const [name, value] = line.split(' ')
      return name === undefined || line.startsWith('#') ? [] : [[name, Number(value)] as const]
    }),
  )
}

export function usedBetween(before: Usage, after: Usage): Usage {
  const used = Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)])
  return Object.fromEntries(used) as Usage
}
