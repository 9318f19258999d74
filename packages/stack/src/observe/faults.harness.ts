import { execFileSync } from 'node:child_process'
import { eventually } from '@malipo/testing/eventually'
import { clockShiftMs, openFaultClocks } from '@malipo/testing/faults/clocks'
import { takeConnections } from '@malipo/testing/faults/connections'
import type { NetworkFault } from '@malipo/testing/faults/fault-proxy'
import { openFaultNetwork } from '@malipo/testing/faults/network'
import { fillRedis } from '@malipo/testing/faults/redis'
import type { SmallDisk } from '@malipo/testing/faults/small-disk'
import { openSimulatorControl } from '@malipo/testing/simulator-control'
import type { NewRule } from '@malipo/testing/simulator-shapes'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import type { StackFile } from '../stack-file'
import { processesOf } from '../start.harness'
import { overload } from './overload.harness'

/** A running stack that Prometheus and Alertmanager observe. */
export interface Observed {
  readonly dir: string
  readonly stack: StackFile
  /** The folder in which its processes read the faults of their clocks and connections. */
  readonly faultsDir: string
  /** The small disk that the stack is on; undefined where this user may not mount one. */
  readonly disk: SmallDisk | undefined
}

export interface Fault {
  readonly name: string
  /** The one alert that reaches an operator. */
  readonly alert: string
  /** Begins the fault, and returns what ends it. */
  readonly begin: (observed: Observed) => Promise<() => unknown>
}

/** Stops a process and its children without ending them, so that no supervisor starts another. */
function stopping(process: string): Fault['begin'] {
  return ({ dir }) => {
    const pid = pidOf(dir, process)
    const pids = [pid, ...childrenOf(pid)]
    signal(pids, 'SIGSTOP')
    return Promise.resolve(() => {
      signal(pids, 'SIGCONT')
    })
  }
}

function pidOf(dir: string, process: string): number {
  return processesOf(dir)[process]?.pid ?? 0
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
      // A process that has ended needs no signal.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

function untilTime(dueMs: number, isOver = () => false): Promise<unknown> {
  return eventually('it is time', () => isOver() || performance.now() >= dueMs)
}

/** Makes each provider of mobile money react with this effect to every request for a prompt. */
function provider(effect: NewRule['effect']): Fault['begin'] {
  return async ({ stack }) => {
    const control = openSimulatorControl(stack.simulator.url)
    await control.addRule({ on: 'push', effect })
    return () => control.reset()
  }
}

/** Has Redis refuse what would take more memory, as one that has none left does. */
async function fullRedis({ stack }: Observed): Promise<() => unknown> {
  await fillRedis(stack.redis, true)
  return () => fillRedis(stack.redis, false)
}

function clock(process: string, shiftMs: number): Fault['begin'] {
  return ({ faultsDir }) => {
    const setClock = openFaultClocks(faultsDir)
    setClock(process, shiftMs)
    return Promise.resolve(() => {
      setClock(process, 0)
    })
  }
}

/** Takes all connections but the three reserved for operators, as a client that leaks its connections does. */
async function noConnections({ stack }: Observed): Promise<() => unknown> {
  const reserved = 3
  const taken = await takeConnections(stack.databases.ledger_ke, reserved)
  return () => taken.end()
}

/** Fills the disk that PostgreSQL, Redis and the logs are on. */
function fullDisk({ disk }: Observed): Promise<() => unknown> {
  if (disk === undefined) throw new Error('No disk is filled: this user may not mount a small one')
  disk.fill()
  return Promise.resolve(() => {
    disk.clear()
  })
}

type Server = 'postgres' | 'redis' | 'simulator'

/** Ends the connections of services to a server, so that they are made again through its proxy. */
const reconnects: Readonly<Record<Server, (observed: Observed) => Promise<unknown>>> = {
  async postgres({ stack }) {
    const client = new Client({ connectionString: stack.databases.ledger_ke })
    await client.connect()
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename <> current_user',
    )
    await client.end()
  },
  async redis({ stack }) {
    const redis = new Redis(stack.redis)
    for (const type of ['NORMAL', 'PUBSUB'] as const)
      await redis.call('CLIENT', 'KILL', 'TYPE', type)
    redis.disconnect()
  },
  // Only the worker can end its connections to a provider, so it is killed and starts again.
  simulator({ dir }) {
    signal([pidOf(dir, 'worker-ke')], 'SIGKILL')
    return Promise.resolve()
  },
}

/** Long enough for new connections to be there before the network is disturbed. */
const reconnectedMs = 10_000

/** Disturbs the network between the services and one of their servers. */
function network(server: Server, kind: NetworkFault): Fault['begin'] {
  return async (observed) => {
    const proxies = await openFaultNetwork(observed.stack, observed.faultsDir)
    await reconnects[server](observed)
    await untilTime(performance.now() + reconnectedMs)
    proxies.begin(server, kind)
    return async () => {
      proxies.end(server)
      await proxies.stop()
    }
  }
}

/** Longer than a process must run for its supervisor to start it again after the shortest delay. */
const killEveryMs = 12_000

/** Kills a process again and again, each time after its supervisor has started it. */
function killing(process: string): Fault['begin'] {
  return ({ dir }) => {
    let isOver = false
    const killInTurn = async () => {
      for (let dueMs = performance.now(); !isOver; dueMs += killEveryMs) {
        signal([pidOf(dir, process)], 'SIGKILL')
        await untilTime(dueMs + killEveryMs, () => isOver)
      }
    }
    const killed = killInTurn()
    return Promise.resolve(() => {
      isOver = true
      return killed
    })
  }
}

export const faults: readonly Fault[] = [
  { name: 'a stopped worker', alert: 'process-down', begin: stopping('worker-ke') },
  { name: 'a stopped ledger', alert: 'process-down', begin: stopping('ledger-ke') },
  { name: 'a stopped gateway', alert: 'process-down', begin: stopping('gateway-ke') },
  { name: 'stopped keys', alert: 'process-down', begin: stopping('keys') },
  { name: 'a stopped auth', alert: 'process-down', begin: stopping('auth') },
  { name: 'a stopped database', alert: 'process-not-ready', begin: stopping('postgres') },
  { name: 'a stopped Redis', alert: 'redis-away', begin: stopping('redis') },
  { name: 'a Redis without memory', alert: 'redis-away', begin: fullRedis },
  {
    name: 'a provider that fails',
    alert: 'provider-failing',
    begin: provider({ kind: 'reset' }),
  },
  {
    name: 'a provider that is slow',
    alert: 'provider-slow',
    begin: provider({ kind: 'delay', ms: 6_500 }),
  },
  {
    name: 'a ledger whose clock is five minutes back',
    alert: 'clock-off',
    begin: clock('ledger-ke', -clockShiftMs),
  },
  {
    name: 'a worker whose clock is five minutes ahead',
    alert: 'clock-off',
    begin: clock('worker-ke', clockShiftMs),
  },
  {
    name: 'a database without connections',
    alert: 'database-connections-low',
    begin: noConnections,
  },
  { name: 'a full disk', alert: 'disk-full', begin: fullDisk },
  { name: 'a database cut off', alert: 'process-not-ready', begin: network('postgres', 'cut') },
  {
    name: 'a database behind half-open connections',
    alert: 'process-not-ready',
    begin: network('postgres', 'half-open'),
  },
  { name: 'a database behind delays', alert: 'database-slow', begin: network('postgres', 'delay') },
  { name: 'a Redis cut off', alert: 'redis-away', begin: network('redis', 'cut') },
  {
    name: 'a Redis behind half-open connections',
    alert: 'redis-away',
    begin: network('redis', 'half-open'),
  },
  { name: 'a Redis behind delays', alert: 'redis-away', begin: network('redis', 'delay') },
  { name: 'a slow network to Redis', alert: 'redis-away', begin: network('redis', 'slow') },
  { name: 'a provider cut off', alert: 'provider-failing', begin: network('simulator', 'cut') },
  {
    name: 'a provider behind half-open connections',
    alert: 'provider-failing',
    begin: network('simulator', 'half-open'),
  },
  { name: 'more requests than are served', alert: 'requests-shed', begin: overload },
  {
    name: 'a worker that is ended again and again',
    alert: 'process-restarting',
    begin: killing('worker-ke'),
  },
]
