import type { TestDatabase } from '@malipo/testing/database'

/** What a table and its indexes take, in bytes, and how often each index was read. */
export interface Size {
  readonly table: string
  /** Undefined for the rows themselves. */
  readonly index: string | undefined
  readonly bytes: number
  readonly scans: number
}

/** Every table of the ledger with its indexes, after a VACUUM. */
export async function readSizes({ pool }: TestDatabase): Promise<Size[]> {
  await pool.query('VACUUM')
  const { rows } = await pool.query<Size>(`
    SELECT relname AS table, NULL AS index, pg_table_size(relid)::float8 AS bytes, 0::float8 AS scans
    FROM pg_stat_user_tables WHERE schemaname = 'public'
    UNION ALL
    SELECT relname, indexrelname, pg_relation_size(indexrelid)::float8, idx_scan::float8
    FROM pg_stat_user_indexes WHERE schemaname = 'public'
    ORDER BY 1, 2 NULLS FIRST`)
  return rows.map((row) => ({ ...row, index: row.index ?? undefined }))
}

/**
 * Lists how many bytes per payment the rows and the indexes of each table take, at each moment, the largest table
 * first.
 */
export function sizeTable(moments: readonly (readonly Size[])[], payments: number): string {
  const [first = []] = moments
  const sum = (sizes: readonly Size[], of: (size: Size) => boolean) =>
    sizes.filter(of).reduce((all, { bytes }) => all + bytes, 0) / payments
  const tables = [...new Set(first.map(({ table }) => table))]
  const lines = tables
    .map((name) => ({
      name,
      cells: moments.flatMap((sizes) => [
        sum(sizes, ({ table, index }) => table === name && index === undefined),
        sum(sizes, ({ table, index }) => table === name && index !== undefined),
      ]),
    }))
    .filter(({ cells }) => cells.some((cell) => cell >= 8))
    .sort((one, other) => all(other.cells) - all(one.cells))
  const total = moments.flatMap((sizes) => [
    sum(sizes, ({ index }) => index === undefined),
    sum(sizes, ({ index }) => index !== undefined),
  ])
  return [...lines, { name: 'all', cells: total }]
    .map(({ name, cells }) => `| ${name} | ${cells.map((cell) => cell.toFixed(0)).join(' | ')} |`)
    .join('\n')
}

const all = (cells: readonly number[]) => cells.reduce((sum, cell) => sum + cell, 0)

/** Lists each index that takes 16 bytes per payment or more, with these bytes and how often it was read. */
export function indexTable(sizes: readonly Size[], payments: number): string {
  return sizes
    .filter(({ index, bytes }) => index !== undefined && bytes / payments >= 16)
    .sort((one, other) => other.bytes - one.bytes)
    .map(
      ({ index, bytes, scans }) =>
        `| ${index ?? ''} | ${(bytes / payments).toFixed(0)} | ${String(scans)} |`,
    )
    .join('\n')
}
