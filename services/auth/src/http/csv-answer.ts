import type { Answer } from '@malipo/runtime/answer'
import { stringify } from 'csv-stringify/sync'

/** A file for a spreadsheet, with a head: RFC 4180, UTF-8. */
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
    // A reference such as `=cmd()` is a reference, and no formula of a spreadsheet.
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
    // Without the mark, Excel takes UTF-8 for something older.
    body: `\ufeff${body}`,
  }
}
