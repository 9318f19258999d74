import type { Answer } from '@malipo/runtime/answer'
import { stringify } from 'csv-stringify/sync'

/** A CSV file with a header row: RFC 4180, UTF-8. */
export function csvAnswer(
  filename: string,
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): Answer {
  const body = stringify([...rows], {
    header: true,
    columns: [...columns],
    record_delimiter: 'windows',
    cast: { boolean: String },
    // Prefixes values such as `=cmd()`, so that a spreadsheet does not run a reference as a formula.
    escape_formulas: true,
  })
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': `attachment; filename="${filename}"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
    // Without the byte order mark, Excel reads UTF-8 in an older encoding.
    body: `\ufeff${body}`,
  }
}
