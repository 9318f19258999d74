import { setTimeout as wait } from 'node:timers/promises'
import { clockShiftMs, openFaultClocks } from '@malipo/testing/faults/clocks'
import { takeConnections } from '@malipo/testing/faults/connections'
import type { NetworkFault } from '@malipo/testing/faults/fault-proxy'
import { openFaultNetwork } from '@malipo/testing/faults/network'
import { fillRedis, flushRedis } from '@malipo/testing/faults/redis'
import type { SmallDisk } from '@malipo/testing/faults/small-disk'
import type { SimulatorControl } from '@malipo/testing/simulator-control'
import type { NewRule } from '@malipo/testing/simulator-shapes'
import type { RunningStack } from '../running-stack'
import type { Fault, FaultKind } from './schedule'

/** Begins a fault, and ends it when its time is over. */
export interface Injector {
  /** Resolves when the fault is over; false when it hit nothing, such as a process that was not running yet. */
  inject(fault: Fault): Promise<boolean>
  stop(): Promise<void>
}

interface InjectorOptions {
  readonly stack: RunningStack
  readonly simulator: SimulatorControl
  /** The small disk that the stack is on; undefined where this user may not mount one. */
  readonly disk: SmallDisk | undefined
  /** The folder in which the processes of the stack find the faults of their clocks and connections. */
  readonly dir: string
}

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
  const { stack, simulator, dir } = options
  const { file } = stack
  const network = await openFaultNetwork(file, dir)
  const setClock = openFaultClocks(dir)
  const signal = (name: string, which: NodeJS.Signals) => {
    try {
      stack.signal(name, which)
      return true
    } catch {
      // The process was killed a moment ago, and does not run yet.
      return false
    }
  }
  const play =
    (kind: NetworkFault) =>
    async ({ target, heldMs }: Fault) => {
      network.begin(target, kind)
      await wait(heldMs)
      network.end(target)
      return true
    }
  const injections: Readonly<Record<FaultKind, (fault: Fault) => Promise<boolean>>> = {
    kill: ({ target }) => Promise.resolve(signal(target, 'SIGKILL')),
    async stop({ target, heldMs }) {
      const isStopped = signal(target, 'SIGSTOP')
      await wait(heldMs)
      signal(target, 'SIGCONT')
      return isStopped
    },
    flush: () => flushRedis(file.redis),
    delay: play('delay'),
    slow: play('slow'),
    cut: play('cut'),
    'half-open': play('half-open'),
    async clock({ target, heldMs, atMs }) {
      setClock(target, atMs % 2 === 0 ? clockShiftMs : -clockShiftMs)
      await wait(heldMs)
      setClock(target, 0)
      return true
    },
    async connections({ target, heldMs }) {
      const { ledger_ke: ke, ledger_ug: ug } = file.databases
      const taken = await takeConnections(target === 'ledger_ug' ? ug : ke)
      await wait(heldMs)
      await taken.end()
      return taken.isFull
    },
    async disk({ heldMs }) {
      options.disk?.fill()
      await wait(heldMs)
      options.disk?.clear()
      return options.disk !== undefined
    },
    async memory({ heldMs }) {
      const isFull = await fillRedis(file.redis, true)
      await wait(heldMs)
      // A Redis that was killed during the fault has no memory limit any more. Lifting the limit then does no harm.
      await fillRedis(file.redis, false)
      return isFull
    },
    async provider({ target }) {
      const rule = providerRules[target]
      if (rule !== undefined) await simulator.addRule(rule)
      return rule !== undefined
    },
    overload: () => burst(file.hosts.ke.base_url),
  }
  return { inject: (fault) => injections[fault.kind](fault), stop: () => network.stop() }
}

/** Sends more requests at once than a gateway ever serves at once. */
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
