/** A table that the deciders read, and the cells that a mutant changes in it. */
export interface PlantedRule {
  readonly table: object
  readonly changed: object
}

/** Names cells in a table of production, to be changed for as long as a mutant runs. */
export function plant<Table extends object>(
  table: Table,
  changed: { readonly [Cell in keyof Table]?: unknown },
): PlantedRule {
  return { table, changed }
}

/** The rules that are planted, with the sound cells of their tables. */
let planted: readonly PlantedRule[] = []

function restore(): void {
  for (const { table, changed: sound } of planted) Object.assign(table, sound)
  planted = []
}

/** Runs a task while the rules are changed, and then restores them. Tasks do not nest. */
export function withRules<Answer>(rules: readonly PlantedRule[], task: () => Answer): Answer {
  // An earlier task that threw has left its rules planted.
  restore()
  planted = rules.map(({ table }) => ({ table, changed: { ...table } }))
  for (const { table, changed } of rules) Object.assign(table, changed)
  const answer = task()
  restore()
  return answer
}

/** A whole number from 0 to `below` - 1. */
export type Random = (below: number) => number

/** A stream of numbers that its seed determines on every machine (mulberry32, over a mixed seed). */
export function openRandom(seed: number): Random {
  let state = Math.imul(seed ^ Math.floor(seed / 2 ** 32) ^ 0x9e3779b9, 0x85ebca6b)
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
