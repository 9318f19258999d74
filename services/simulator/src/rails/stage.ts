import type { Clock } from '@malipo/runtime/clock'
import { openBook } from '../domain/book'
import type { Capacity } from '../domain/capacity'
import { openEventLog, type SimEvent } from '../domain/event-log'
import type { Deliver, Operation, Rail } from '../domain/rail'
import { openRules } from '../domain/rules'
import { openShelf } from '../domain/shelf'
import type { World } from '../domain/world'
import { keepTime, type VirtualClock } from '../jobs/keep-time'

/** The simulation that is on, and the way to begin another. */
export interface Stage {
  current(): Simulation
  /** Throws the simulation away, its timers and its book with it. Without a seed the next one is like no other. */
  reset(seed?: string): Simulation
  /** Calls back for every event of this simulation and of those that follow. */
  listen(listener: (event: SimEvent) => void): () => void
  stop(): void
}

export interface Simulation {
  readonly world: World
  readonly clock: VirtualClock
  readonly startedAtMs: number
  readonly rails: readonly Rail[]
  /** What is served at a path, whatever the method, and by whom. */
  servedAt(path: string): Served | undefined
}

export interface Served {
  readonly rail: Rail
  readonly operation: Operation
  /** What stands for the names in the path of the operation. */
  readonly params: Readonly<Record<string, string>>
}

export type RailMaker = (world: World, deliver: Deliver) => Rail

export interface StageWiring {
  readonly clock: Clock
  readonly capacity: Capacity
  readonly deliver: Deliver
  readonly railMakers: readonly RailMaker[]
  newSeed(): string
}

export function openStage(wiring: StageWiring, seed: string): Stage {
  const listeners = new Set<(event: SimEvent) => void>()
  const begin = (nextSeed: string, afterEvent: number) => {
    const simulation = openSimulation(wiring, nextSeed, afterEvent)
    simulation.world.events.listen((event) => {
      for (const listener of listeners) listener(event)
    })
    simulation.world.events.append('reset', { seed: nextSeed })
    return simulation
  }
  let current = begin(seed, 0)
  return {
    current: () => current,
    reset(nextSeed = wiring.newSeed()) {
      current.clock.stop()
      current = begin(nextSeed, current.world.events.lastId())
      return current
    },
    listen(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    stop() {
      current.clock.stop()
    },
  }
}

function openSimulation(wiring: StageWiring, seed: string, afterEvent: number): Simulation {
  const clock = keepTime(wiring.clock)
  const wallNow = () => wiring.clock.now()
  const world: World = {
    seed,
    capacity: wiring.capacity,
    wallNow,
    time: clock,
    shelf: openShelf(),
    rules: openRules(seed),
    book: openBook(wallNow, wiring.capacity.bookRows),
    events: openEventLog(wallNow, afterEvent),
  }
  const rails = wiring.railMakers.map((make) => make(world, wiring.deliver))
  return { world, clock, startedAtMs: wallNow(), rails, servedAt: serve(rails) }
}

/** Most paths are plain and found at once; the few with names in them are tried one by one. */
function serve(rails: readonly Rail[]): Simulation['servedAt'] {
  const all = rails.flatMap((rail) => rail.operations.map((operation) => ({ rail, operation })))
  const plain = new Map(all.map((served) => [served.operation.path, { ...served, params: {} }]))
  const named = all
    .filter(({ operation }) => operation.path.includes('{'))
    .map((served) => ({ served, shape: shapeOf(served.operation.path) }))
  return (path) => {
    const found = plain.get(path)
    if (found !== undefined) return found
    for (const { served, shape } of named) {
      const match = shape.exec(path)
      if (match !== null) return { ...served, params: { ...match.groups } }
    }
    return undefined
  }
}

/** `/apiuser/{id}` -> a pattern with the group `id`. */
function shapeOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
}
