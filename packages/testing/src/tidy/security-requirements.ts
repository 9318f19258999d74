import type { Rule } from './source-tree'

const documentPath = 'docs/asvs.md'
const tableRow = /^\| *((?:\d+\.\d+\.\d+(?:, )?)+) *\|.*\| *(.*?) *\|$/gm
const testName = /`([^`]+)`/g

/** Each requirement in docs/asvs.md names tests that exist, says why it has none, or says what is missing. */
export const everyRequirementIsShown: Rule = (files) => {
  const text = files.find(({ path }) => path === documentPath)?.text ?? ''
  const tests = files
    .filter(({ path }) => path.endsWith('.test.ts'))
    .map((file) => file.text)
    .join('\n')
  const rows = [...text.matchAll(tableRow)]
  if (rows.length === 0) return [`${documentPath} has no rows`]
  return rows.flatMap(([, requirement = '', shown = '']) => {
    const where = `${documentPath}: ${requirement.trim()}`
    if (/^(?:reason|open): .{10,}/.test(shown)) return []
    const names = Array.from(shown.matchAll(testName), ([, name = '']) => name)
    if (names.length === 0) return [`${where} names no test, and not why: "reason: …" or "open: …"`]
    return names
      .filter((name) => !tests.includes(name))
      .map((name) => `${where} names a test that is not there: ${name}`)
  })
}
