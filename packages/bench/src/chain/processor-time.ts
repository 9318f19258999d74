import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds of a processor since each process began, by its name in the stack. */
export type ProcessorMs = Readonly<Record<string, number>>

interface Stat {
  readonly parent: number
  /** The processor time of the process without its children. */
  readonly ticks: number
  /** The processor time of its children that ended. */
  readonly endedTicks: number
}

/** The kernel's unit in /proc, the same on every Linux. */
const tickMs = 10

/**
 * The processor time of each process with its children: PostgreSQL serves a connection by a child, and the time of an
 * ended child is counted by its parent. Linux only.
 */
export function readProcessorMs(
  processes: Readonly<Record<string, { readonly pid: number }>>,
): ProcessorMs {
  const stats = readStats()
  const used = Object.entries(processes).map(([name, { pid }]) => [name, msOf(stats, pid)] as const)
  return Object.fromEntries(used)
}

export function msBetween(before: ProcessorMs, after: ProcessorMs): ProcessorMs {
  const used = Object.entries(after).map(([name, ms]) => [name, ms - (before[name] ?? 0)] as const)
  return Object.fromEntries(used)
}

/** MB of memory of each process with its children; what they share counts once. */
export function readMemoryMb(
  processes: Readonly<Record<string, { readonly pid: number }>>,
): Readonly<Record<string, number>> {
  const stats = readStats()
  const ofTree = (pid: number) =>
    [pid, ...descendantsOf(stats, pid)].reduce((sum, each) => sum + shareKb(each), 0) / 1_024
  return Object.fromEntries(Object.entries(processes).map(([name, { pid }]) => [name, ofTree(pid)]))
}

function msOf(stats: ReadonlyMap<number, Stat>, pid: number): number {
  const tree = [pid, ...descendantsOf(stats, pid)]
  return tree.reduce((sum, each) => {
    const { ticks = 0, endedTicks = 0 } = stats.get(each) ?? {}
    return sum + (ticks + endedTicks) * tickMs
  }, 0)
}

function descendantsOf(stats: ReadonlyMap<number, Stat>, pid: number): number[] {
  const children = [...stats].filter(([, { parent }]) => parent === pid).map(([child]) => child)
  return children.flatMap((child) => [child, ...descendantsOf(stats, child)])
}

function readStats(): ReadonlyMap<number, Stat> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return new Map(
    pids.flatMap((pid) => {
      const text = readIfThere(`/proc/${pid}/stat`)
      return text === undefined ? [] : [[Number(pid), parseStat(text)] as const]
    }),
  )
}

export function parseStat(text: string): Stat {
  // The second field is the program's name in parentheses, which may itself hold spaces and parentheses.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const sum = (first: number, second: number) => (fields[first] ?? 0) + (fields[second] ?? 0)
  return { parent: fields[1] ?? 0, ticks: sum(11, 12), endedTicks: sum(13, 14) }
}

function shareKb(pid: number): number {
  const text = readIfThere(`/proc/${String(pid)}/smaps_rollup`) ?? ''
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0)
}

/** A process may end between its listing and its reading. */
function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
