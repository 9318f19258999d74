import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { SimulatorControl } from '@malipo/testing/simulator-control'
import type { NewRule } from '@malipo/testing/simulator-shapes'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import type { RunningStack } from '../running-stack'
import { type FaultProxy, type NetworkFault, openFaultProxy } from './fault-proxy'
import type { Fault, FaultKind } from './schedule'
import type { SmallDisk } from './small-disk'

/** Begins faults, and ends each by itself. */
export interface Injector {
  /** Resolves when the fault is over; false when there was nothing to meet, as with a process that is just starting. */
  inject(fault: Fault): Promise<boolean>
  stop(): Promise<void>
}

interface InjectorOptions {
  readonly stack: RunningStack
  readonly simulator: SimulatorControl
  /** What the stack is on, where it could be given one. */
  readonly disk: SmallDisk | undefined
  /** Where the processes of the stack read what is done to their clocks and connections. */
  readonly dir: string
}

const clockShiftMs = 300_000
const connectionsMax = 200
const requestsOfBurst = 200
const callsOfProvider = 10

const providerRules: Readonly<Record<string, NewRule>> = {
  'push reset': { on: 'push', effect: { kind: 'reset' }, times: callsOfProvider },
  'push error': {
    on: 'push',
    effect: { kind: 'error', error: 'internal' },
    times: callsOfProvider,
  },
  'session drop': {
    on: 'session',
    effect: { kind: 'drop', performed: true },
    times: callsOfProvider,
  },
  'callback drop': { on: 'callback', effect: { kind: 'drop' }, times: callsOfProvider },
  'callback duplicate': {
    ...{ on: 'callback', times: callsOfProvider },
    effect: { kind: 'duplicate', copies: 3, every_ms: 200 },
  },
  'query drop': { on: 'query', effect: { kind: 'drop' }, times: callsOfProvider },
}

export async function openInjector(options: InjectorOptions): Promise<Injector> {
  const { stack, simulator } = options
  const { file } = stack
  const network = await openNetwork(options)
  const shiftClock = openClocks(options.dir)
  const signal = (name: string, which: NodeJS.Signals) => {
    try {
      stack.signal(name, which)
      return true
    } catch {
      // It was killed a moment ago, and does not run yet.
      return false
    }
  }
  const injections: Readonly<Record<FaultKind, (fault: Fault) => Promise<boolean>>> = {
    kill: ({ target }) => Promise.resolve(signal(target, 'SIGKILL')),
    async stop({ target, heldMs }) {
      const isStopped = signal(target, 'SIGSTOP')
      await wait(heldMs)
      signal(target, 'SIGCONT')
      return isStopped
    },
    flush: () => flushAll(file.redis),
    delay: network.play('delay'),
    slow: network.play('slow'),
    cut: network.play('cut'),
    'half-open': network.play('half-open'),
    clock: shiftClock,
    connections: ({ target, heldMs }) =>
      takeConnections(
        target === 'ledger_ug' ? file.databases.ledger_ug : file.databases.ledger_ke,
        heldMs,
      ),
    async disk({ heldMs }) {
      options.disk?.fill()
      await wait(heldMs)
      options.disk?.clear()
      return options.disk !== undefined
    },
    memory: ({ heldMs }) => fillMemory(file.redis, heldMs),
    async provider({ target }) {
      const rule = providerRules[target]
      if (rule !== undefined) await simulator.addRule(rule)
      return rule !== undefined
    },
    overload: () => burst(file.hosts.ke.base_url),
  }
  return { inject: (fault) => injections[fault.kind](fault), stop: () => network.stop() }
}

/** A proxy before each server. New connections of services go through it, old ones when they are made again. */
async function openNetwork({ stack: { file }, dir }: InjectorOptions) {
  const servers = {
    postgres: file.databases.ledger_ke,
    redis: file.redis,
    simulator: file.simulator.url,
  }
  const proxies = new Map<string, FaultProxy>()
  const table: Record<number, number> = {}
  for (const [name, url] of Object.entries(servers)) {
    const port = Number(new URL(url).port)
    const proxy = await openFaultProxy(port)
    proxies.set(name, proxy)
    table[port] = proxy.port
  }
  const write = (text: object) => {
    writeFileSync(join(dir, 'network.json'), JSON.stringify(text))
  }
  write(table)
  return {
    play: (kind: NetworkFault) => async (fault: Fault) => {
      const proxy = proxies.get(fault.target)
      proxy?.begin(kind)
      await wait(fault.heldMs)
      proxy?.end()
      return proxy !== undefined
    },
    async stop() {
      write({})
      await Promise.all([...proxies.values()].map((proxy) => proxy.stop()))
    },
  }
}

/** Five minutes forward or back for one process, and back again. */
function openClocks(dir: string) {
  const shifts = new Map<string, number>()
  const write = () => {
    writeFileSync(join(dir, 'clock.json'), JSON.stringify(Object.fromEntries(shifts)))
  }
  return async ({ target, heldMs, atMs }: Fault) => {
    shifts.set(target, atMs % 2 === 0 ? clockShiftMs : -clockShiftMs)
    write()
    await wait(heldMs)
    shifts.delete(target)
    write()
    return true
  }
}

const flushAll = (url: string) => tellRedis(url, (redis) => redis.flushall())

/** Redis refuses what would take more memory, as one that has none left does. */
async function fillMemory(url: string, heldMs: number): Promise<boolean> {
  const isFull = await tellRedis(url, (redis) => redis.config('SET', 'maxmemory', '1'))
  await wait(heldMs)
  // One that was killed meanwhile began again without a limit.
  await tellRedis(url, (redis) => redis.config('SET', 'maxmemory', '0'))
  return isFull
}

/** False when it does not run. */
async function tellRedis(url: string, tell: (redis: Redis) => Promise<unknown>): Promise<boolean> {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    commandTimeout: 2_000,
  })
  redis.on('error', () => undefined)
  const isDone = await tell(redis).then(
    () => true,
    () => false,
  )
  redis.disconnect()
  return isDone
}

/** Opens connections until the server has none left, and holds them. */
async function takeConnections(url: string, heldMs: number): Promise<boolean> {
  const taken: Client[] = []
  const open = async () => {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
    client.on('error', () => undefined)
    await client.connect()
    taken.push(client)
  }
  const opened = Array.from({ length: connectionsMax }, open)
  const results = await Promise.allSettled(opened)
  await wait(heldMs)
  await Promise.allSettled(taken.map((client) => client.end()))
  return results.some(({ status }) => status === 'rejected')
}

/** More requests at once than are ever served at once. */
async function burst(base: string): Promise<boolean> {
  const url = `${base}/v1/payments/public/checkouts/cs_ke_${'0'.repeat(24)}`
  const read = async (_: unknown, at: number) =>
    fetch(url, {
      headers: { 'x-forwarded-for': `10.77.0.${String(at)}` },
      signal: AbortSignal.timeout(15_000),
    })
  await Promise.allSettled(Array.from({ length: requestsOfBurst }, read))
  return true
}
