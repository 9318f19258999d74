import { execFileSync } from 'node:child_process'
import { eventually } from '@malipo/testing/eventually'
import { openSimulatorControl } from '@malipo/testing/simulator-control'
import { playMainJob } from '../demo'
import type { StackFile } from '../stack-file'
import { processesOf } from '../start.harness'

/** A stack that is observed. */
interface Observed {
  readonly dir: string
  readonly stack: StackFile
}

export interface Fault {
  readonly name: string
  /** The one alert that reaches an operator. */
  readonly alert: string
  /** Begins the fault, and returns what ends it. */
  readonly begin: (observed: Observed) => Promise<() => Promise<unknown>>
}

/** Stops a process and its children without ending them, so that no supervisor starts another. */
function stopping(process: string): Fault['begin'] {
  return ({ dir }) => {
    const pid = processesOf(dir)[process]?.pid ?? 0
    const pids = [pid, ...childrenOf(pid)]
    signal(pids, 'SIGSTOP')
    return Promise.resolve(() => {
      signal(pids, 'SIGCONT')
      return Promise.resolve()
    })
  }
}

function childrenOf(pid: number): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const rows = table
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number))
  return rows.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []))
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch (error) {
      // A child that ended meanwhile needs none.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** M-PESA closes the connection of every request for a prompt. */
async function failingProvider({ stack }: Observed): Promise<() => Promise<unknown>> {
  const control = openSimulatorControl(stack.simulator.url)
  await control.addRule({ on: 'push', effect: { kind: 'reset' } })
  return () => control.reset()
}

export const faults: readonly Fault[] = [
  { name: 'a stopped worker', alert: 'process-down', begin: stopping('worker-ke') },
  { name: 'a stopped ledger', alert: 'process-down', begin: stopping('ledger-ke') },
  { name: 'a stopped gateway', alert: 'process-down', begin: stopping('gateway-ke') },
  { name: 'stopped keys', alert: 'process-down', begin: stopping('keys') },
  { name: 'a stopped auth', alert: 'process-down', begin: stopping('auth') },
  { name: 'a stopped database', alert: 'process-not-ready', begin: stopping('postgres') },
  { name: 'a stopped Redis', alert: 'redis-away', begin: stopping('redis') },
  { name: 'a provider that fails', alert: 'provider-failing', begin: failingProvider },
]

/** What a machine that is shared with others raises by itself. */
const ofTheMachine = new Set(['event-loop-slow', 'provider-slow'])

interface Alert {
  readonly labels: { readonly alertname: string }
}

/** The alerts that reach an operator: those that no other one silences. */
export async function alertsOf({ stack }: Observed): Promise<string[]> {
  const url = `${stack.alertmanager?.url ?? ''}/api/v2/alerts?active=true&silenced=false&inhibited=false`
  const alerts = (await (await fetch(url)).json()) as readonly Alert[]
  const names = new Set(alerts.map(({ labels }) => labels.alertname))
  return [...names].filter((name) => !ofTheMachine.has(name)).sort()
}

export interface Raised {
  readonly fault: string
  readonly wanted: string
  readonly alerts: readonly string[]
  readonly seconds: number
}

const raisedWithinMs = 120_000
const healedWithinMs = 240_000
/** Long enough for what another alert would wait for behind the first. */
const heldMs = 30_000

/** Holds a fault until its alert has come, and some time longer; then ends it and waits until no alert is left. */
export async function playFault(observed: Observed, fault: Fault): Promise<Raised> {
  const traffic = startTraffic(observed.stack)
  const from = performance.now()
  const end = await fault.begin(observed)
  const seen = new Set<string>()
  const look = async () => {
    for (const name of await alertsOf(observed)) seen.add(name)
    return seen.has(fault.alert)
  }
  await eventually(`an alert of ${fault.name}`, look, raisedWithinMs, 1_000).catch(() => undefined)
  const seconds = Math.round((performance.now() - from) / 1_000)
  const until = performance.now() + heldMs
  await eventually(
    'nothing more',
    async () => (await look(), performance.now() > until),
    healedWithinMs,
    1_000,
  )
  await end()
  await eventually(
    `no alert after ${fault.name}`,
    async () => (await alertsOf(observed)).length === 0,
    healedWithinMs,
    1_000,
  )
  await traffic.stop()
  return { fault: fault.name, wanted: fault.alert, alerts: [...seen].sort(), seconds }
}

/** Payments one after another; those of a fault may fail. */
function startTraffic(stack: StackFile): { stop: () => Promise<void> } {
  let isOver = false
  const run = async () => {
    while (!isOver) {
      await playMainJob(stack, () => undefined).catch(() => undefined)
    }
  }
  const running = run()
  return {
    async stop() {
      isOver = true
      await running
    },
  }
}
