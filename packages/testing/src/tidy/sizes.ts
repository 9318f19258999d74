import type { Rule } from './source-tree'

const handWritten = /\.(?:ts|tsx|mjs|cjs|js|css|sql|lua|sh|py)$/
/** How many lines files may have, so that each can be read at one sitting. */
const budget = { median: 70, ninetiethPercentile: 200, largest: 300 }

export const sizeBudget: Rule = (files) => {
  const sizes = files
    .filter(({ path }) => handWritten.test(path))
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .sort((one, other) => one.lines - other.lines)
  const at = (share: number) =>
    sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * share))]?.lines ?? 0
  return [
    ...over('the median file', at(0.5), budget.median),
    ...over('the 90th percentile', at(0.9), budget.ninetiethPercentile),
    ...sizes.flatMap(({ path, lines }) => over(path, lines, budget.largest)),
  ]
}

function over(what: string, lines: number, most: number): string[] {
  return lines > most
    ? [
        `${what} has ${String(lines)} lines, and may have ${String(most)}: give its second idea a file`,
      ]
    : []
}
