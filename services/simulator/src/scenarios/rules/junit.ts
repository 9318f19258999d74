export interface Result {
  readonly file: string
  readonly name: string
  readonly tookMs: number
  readonly failure: Failure | undefined
}

export interface Failure {
  /** The line of the failed step in the file. */
  readonly line: number
  readonly message: string
}

/** The report that CI systems read: one suite, one test case a scenario. */
export function junit(results: readonly Result[]): string {
  const failures = results.filter(({ failure }) => failure !== undefined).length
  const counts = `tests="${String(results.length)}" failures="${String(failures)}" errors="0"`
  const tookMs = results.reduce((sum, result) => sum + result.tookMs, 0)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts} time="${seconds(tookMs)}">`,
    `  <testsuite name="scenarios" ${counts} time="${seconds(tookMs)}">`,
    ...results.map(testCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testCase({ file, name, tookMs, failure }: Result): string {
  const head = `    <testcase classname="${escaped(file)}" name="${escaped(name)}" time="${seconds(tookMs)}"`
  if (failure === undefined) return `${head} />`
  const message = escaped(failure.message)
  const at = `${escaped(file)}:${String(failure.line)}`
  return `${head}>\n      <failure message="${message}">${at}: ${message}</failure>\n    </testcase>`
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** XML allows no control characters but tab and line ends, and no half of a surrogate pair, not even escaped. */
function escaped(text: string): string {
  return text
    .replace(/[&<>"]/g, (character) => entities[character] ?? '')
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
}
