import { loadavg } from 'node:os'

/** A goal, and the ratio that each round reached. */
export interface Row {
  readonly goal: string
  readonly what: string
  readonly atLeast: number
  readonly ratios: readonly number[]
}

/** Lists the smallest, the median and the greatest ratio of the rounds of each goal. */
export function table(rows: readonly Row[]): string {
  const head = ['goal', 'what', 'min', 'median', 'max', 'at least', '']
  const lines = rows.map(({ goal, what, atLeast, ratios }) => {
    const sorted = [...ratios].sort((one, other) => one - other)
    const [min = 0, median = 0, max = 0] = [0, 0.5, 1].map(
      (share) => sorted[Math.floor((sorted.length - 1) * share)],
    )
    return [
      goal,
      what,
      ...[min, median, max, atLeast].map((ratio) => ratio.toFixed(2)),
      median >= atLeast ? 'met' : 'missed',
    ]
  })
  return align([head, ...lines])
}

/** Lines of cells, each column as wide as its widest cell. */
export function align(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  )
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** The load averages of the machine, which tell whether other work ran beside the bench. */
export function load(): string {
  return loadavg()
    .map((share) => share.toFixed(1))
    .join(' ')
}
