import { posix } from 'node:path'
import type { Rule, SourceFile } from './source-tree'

const documentPath = 'docs/failure-modes.md'
const rowCount = 100

/** `row 57: …`, or `rows 25, 26 and 44: …`, in the name of a test. */
const named = /\brows? (\d+(?:(?:, | and )\d+)*):/g
const tableRow = /^\| *(\d+) *\|.*\| *(.*?) *\|$/gm
const link = /\]\(([^)]+)\)/g

/** Each row of the failure modes links to tests that carry its number, or says why it has none. */
export const everyFailureRowIsShown: Rule = (files) => {
  const text = files.find(({ path }) => path === documentPath)?.text ?? ''
  const shownBy = new Map(
    Array.from(text.matchAll(tableRow), ([, row = '', last = '']) => [Number(row), last] as const),
  )
  const testsOf = testsByRow(files)
  return Array.from({ length: rowCount }, (_, at) => at + 1).flatMap((row) =>
    wrongWith(row, shownBy.get(row), testsOf.get(row) ?? new Set()),
  )
}

function wrongWith(row: number, shown: string | undefined, tests: ReadonlySet<string>): string[] {
  const where = `${documentPath}: row ${String(row)}`
  if (shown === undefined) return [`${where} is missing`]
  if (/^not built: .{10,}/.test(shown)) {
    return tests.size > 0 ? [`${where} says "not built", and a test carries its number`] : []
  }
  const links = Array.from(shown.matchAll(link), ([, target = '']) =>
    posix.join(posix.dirname(documentPath), target),
  )
  if (links.length === 0) return [`${where} names no test, and not why: "not built: …"`]
  return links
    .filter((path) => !tests.has(path))
    .map((path) => `${where} links to ${path}, where no test carries "row ${String(row)}:"`)
}

function testsByRow(files: readonly SourceFile[]): Map<number, Set<string>> {
  const tests = new Map<number, Set<string>>()
  for (const { path, text } of files.filter((file) => file.path.endsWith('.test.ts'))) {
    const rows = Array.from(text.matchAll(named), ([, numbers = '']) => numbers.match(/\d+/g) ?? [])
    for (const row of rows.flat().map(Number)) {
      tests.set(row, (tests.get(row) ?? new Set()).add(path))
    }
  }
  return tests
}
