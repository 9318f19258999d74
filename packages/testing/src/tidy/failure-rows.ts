import type { Rule } from './source-tree'

/** The failure table of the design, parts A to C: what providers, attempts and Pay Bill payments can do to us. */
const rows = Array.from({ length: 65 }, (_, index) => index + 1)

/** `row 57: …`, or `rows 25, 26 and 44: …`, in the name of a test. */
const named = /\brows? (\d+(?:(?:, | and )\d+)*):/g

/** Every row that can happen to what is built has a test that carries its number. */
export const everyFailureRowHasATest: Rule = (files) => {
  const tests = files.filter(({ path }) => path.endsWith('.test.ts'))
  const tested = new Set(
    tests.flatMap(({ text }) =>
      Array.from(text.matchAll(named), ([, numbers = '']) => numbers.match(/\d+/g) ?? []).flat(),
    ),
  )
  return rows
    .filter((row) => !tested.has(String(row)))
    .map((row) => `row ${String(row)} of the failure table: no test carries it in its name`)
}
