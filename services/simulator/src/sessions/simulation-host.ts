import { unescape } from 'node:querystring'
import type { Clock } from '@malipo/runtime/clock'
import { openBook, type Book } from '../book/rules/book'
import type { Capacity } from './rules/capacity'
import { openEventLog, type SimEvent } from '../inspector/rules/event-log'
import type { Spill } from '../book/rules/pages'
import type { Profile } from '../providers/rules/profile'
import type { Deliver, Operation, Rail } from '../providers/rules/rail'
import { openRules } from '../faults/rules/rules'
import type { Session } from './rules/session'
import type { Snapshot } from '../snapshots/rules/snapshot'
import { openPhoneRegistry } from '../phones/rules/phone-registry'
import type { World } from './rules/world'
import { openVirtualClock, type VirtualClock } from '../clock/virtual-clock'

/** One session: its current simulation, and how to start another. */
export interface SimulationHost {
  readonly session: Session
  /** The names of all sessions of this process. */
  names(): readonly string[]
  /** Ends this session. Returns false for the home session, which cannot end. */
  leave(): boolean
  current(): Simulation
  /** Discards the simulation with its timers and its book. Without a seed the next one gets a random seed. */
  reset(seed?: string): Simulation
  /** The newest last; they survive a reset. */
  readonly snapshots: Snapshot[]
  /** Calls back for every event of this simulation and of those that follow. */
  listen(listener: (event: SimEvent) => void): () => void
  stop(): void
}

export interface Simulation {
  readonly profile: Profile
  readonly deliver: Deliver
  readonly world: World
  readonly clock: VirtualClock
  readonly startedAtMs: number
  readonly rails: readonly Rail[]
  /** The operation at a path, with its rail: the one of this method, else an operation of another method. */
  servedAt(path: string, method: string): Served | undefined
}

export interface Served {
  readonly rail: Rail
  readonly operation: Operation
  /** The values of the names in braces in the operation's path. */
  readonly params: Readonly<Record<string, string>>
}

export type RailMaker = (world: World, deliver: Deliver) => Rail

export interface HostWiring {
  readonly profile: Profile
  readonly clock: Clock
  readonly capacity: Capacity
  readonly deliver: Deliver
  readonly railMakers: readonly RailMaker[]
  newSeed(): string
  openSpill(): Spill
  otherBooks(): readonly Book[]
  names(): readonly string[]
  end(name: string): boolean
}

export function openSimulationHost(
  wiring: HostWiring,
  session: Session,
  seed: string,
): SimulationHost {
  const listeners = new Set<(event: SimEvent) => void>()
  const begin = (nextSeed: string, afterEvent: number) => {
    const simulation = openSimulation(wiring, session, nextSeed, afterEvent)
    simulation.world.events.listen((event) => {
      for (const listener of listeners) listener(event)
    })
    simulation.world.events.append('reset', { seed: nextSeed })
    return simulation
  }
  let current = begin(seed, 0)
  const end = () => {
    current.clock.stop()
    current.world.book.close()
  }
  return {
    session,
    snapshots: [],
    names: () => wiring.names(),
    leave: () => wiring.end(session.name),
    current: () => current,
    reset(nextSeed = wiring.newSeed()) {
      end()
      current = begin(nextSeed, current.world.events.lastId())
      return current
    },
    listen(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    stop: end,
  }
}

function openSimulation(
  wiring: HostWiring,
  session: Session,
  seed: string,
  afterEvent: number,
): Simulation {
  const { capacity } = wiring
  const clock = openVirtualClock(wiring.clock)
  const wallNow = () => wiring.clock.now()
  const world: World = {
    session,
    seed,
    capacity,
    wallNow,
    time: clock,
    phones: openPhoneRegistry(),
    rules: openRules(seed),
    book: openBook(wallNow, capacity.bookRows, wiring.openSpill()),
    otherBooks: () => wiring.otherBooks(),
    events: openEventLog(wallNow, capacity.events, afterEvent),
    held: new Map(),
  }
  const rails = wiring.railMakers.map((make) => make(world, wiring.deliver))
  return {
    profile: wiring.profile,
    deliver: wiring.deliver,
    world,
    clock,
    startedAtMs: wallNow(),
    rails,
    servedAt: serve(rails),
  }
}

/** Most paths are plain and found at once; the few with names in them are tried one by one. */
function serve(rails: readonly Rail[]): Simulation['servedAt'] {
  const all = rails.flatMap((rail) => rail.operations.map((operation) => ({ rail, operation })))
  const plain = new Map<string, Served[]>()
  for (const served of all) {
    const { path } = served.operation
    plain.set(path, [...(plain.get(path) ?? []), { ...served, params: {} }])
  }
  const named = all
    .filter(({ operation }) => operation.path.includes('{'))
    .map((served) => ({ served, shape: shapeOf(served.operation.path) }))
  const atNamed = (path: string): readonly Served[] =>
    named.flatMap(({ served, shape }) => {
      const match = shape.exec(path)
      return match === null ? [] : [{ ...served, params: decoded({ ...match.groups }) }]
    })
  return (path, method) => {
    const found = plain.get(path) ?? atNamed(path)
    return found.find(({ operation }) => operation.method === method) ?? found[0]
  }
}

/** `A%201` -> `A 1`. A malformed escape does not throw: it becomes a text that names nothing. */
function decoded(groups: Served['params']): Served['params'] {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, unescape(value)]))
}

/** `/apiuser/{id}` -> a pattern with the group `id`. */
function shapeOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
}
