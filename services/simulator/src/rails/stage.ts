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
  /** By path: what is served there, and by whom. */
  readonly served: ReadonlyMap<string, Served>
}

export interface Served {
  readonly rail: Rail
  readonly operation: Operation
}

export type RailMaker = (world: World, deliver: Deliver) => Rail

export interface StageWiring {
  readonly clock: Clock
  readonly deliver: Deliver
  readonly railMakers: readonly RailMaker[]
  readonly capacity: Capacity
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
    wallNow,
    time: clock,
    capacity: wiring.capacity,
    shelf: openShelf(),
    rules: openRules(seed),
    book: openBook(wallNow, wiring.capacity.bookRows),
    events: openEventLog(wallNow, afterEvent),
  }
  const rails = wiring.railMakers.map((make) => make(world, wiring.deliver))
  const served = rails.flatMap((rail) =>
    rail.operations.map((operation) => [operation.path, { rail, operation }] as const),
  )
  return { world, clock, startedAtMs: wallNow(), rails, served: new Map(served) }
}
