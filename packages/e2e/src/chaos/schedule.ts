export const faultKinds = [
  'kill',
  'stop',
  'flush',
  'delay',
  'slow',
  'cut',
  'half-open',
  'clock',
  'connections',
  'disk',
  'memory',
  'provider',
  'overload',
] as const
export type FaultKind = (typeof faultKinds)[number]

export interface Fault {
  readonly atMs: number
  readonly kind: FaultKind
  /**
   * What the fault hits: a process for `kill`, `stop` and `clock`; a server for network and memory faults; for
   * `provider`, the name of what the provider does wrong.
   */
  readonly target: string
  /** How long the fault lasts; 0 for a kill. */
  readonly heldMs: number
}

export interface ScheduleOptions {
  readonly seed: number
  readonly lengthMs: number
  readonly kills: number
  /** Which faults beside kills, and how many of each. */
  readonly kinds: readonly FaultKind[]
  readonly each: number
}

const services = ['gateway', 'ledger', 'worker'].flatMap((service) =>
  ['ke', 'ke-2', 'ug', 'ug-2'].map((place) => `${service}-${place}`),
)
const processes = [...services, 'keys', 'auth', 'redis', 'postgres']
const servers = ['postgres', 'redis', 'simulator']

const targetsOf: Readonly<Record<FaultKind, readonly string[]>> = {
  kill: processes,
  stop: [...services, 'redis'],
  flush: ['redis'],
  ...{ delay: servers, slow: servers, cut: servers, 'half-open': servers },
  clock: services,
  connections: ['ledger_ke', 'ledger_ug'],
  disk: ['stack'],
  memory: ['redis'],
  provider: [
    'push reset',
    'push error',
    'session drop',
    'callback drop',
    'callback duplicate',
    'query drop',
  ],
  overload: ['gateway-ke'],
}

const heldMs = { least: 1_000, most: 6_000 }

/**
 * The timeline of a run: the same for the same seed. Kills are spread evenly over the time and hit each process in
 * turn.
 */
export function scheduleFaults({ seed, lengthMs, kills, kinds, each }: ScheduleOptions): Fault[] {
  const next = openRandom(seed)
  const pick = (kind: FaultKind, atMs: number, target: string): Fault => {
    const held = heldMs.least + Math.floor(next() * (heldMs.most - heldMs.least))
    return { atMs: Math.floor(atMs), kind, target, heldMs: kind === 'kill' ? 0 : held }
  }
  const order = shuffle(targetsOf.kill, next)
  const killed = Array.from({ length: kills }, (_, at) =>
    pick('kill', ((at + next()) * lengthMs) / kills, order[at % order.length] ?? ''),
  )
  const others = kinds
    .filter((kind) => kind !== 'kill')
    .flatMap((kind) =>
      Array.from({ length: each }, () => {
        const targets = targetsOf[kind]
        const target = targets[Math.floor(next() * targets.length)] ?? ''
        return pick(kind, next() * lengthMs, target)
      }),
    )
  return [...killed, ...others].sort((one, other) => one.atMs - other.atMs)
}

/** A small generator of random numbers from 0 to 1 (mulberry32), so that the same seed repeats a run. */
export function openRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function shuffle<Item>(items: readonly Item[], next: () => number): Item[] {
  return items
    .map((item) => [next(), item] as const)
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item)
}
