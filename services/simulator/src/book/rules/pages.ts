/** Storage for full pages: append-only bytes, read by position. */
export interface Spill {
  /** Returns the position at which the bytes begin. */
  append(bytes: Uint8Array): number
  read(place: number, length: number): Uint8Array
  close(): void
}

interface Timed {
  readonly atMs: number
}

/** Rows in order of time: the last page in memory, the earlier ones in storage. */
export interface Pages<Row extends Timed> {
  add(row: Row): void
  size(): number
  slice(start: number, count: number): readonly Row[]
  /** The rows of a group from an instant on, without the first `skipped` of them. */
  from(part: Part): Iterable<Row>
}

interface Part {
  readonly atMs: number
  readonly group: string
  readonly skipped: number
}

export interface Codec<Row> {
  write(rows: readonly Row[]): string
  read(text: string): readonly Row[]
}

interface Page {
  readonly place: number
  readonly length: number
  readonly firstAtMs: number
  readonly lastAtMs: number
  /** The number of rows of each group, so that a page that a client skips whole need not be read from storage. */
  readonly rowsOfGroup: ReadonlyMap<string, number>
}

export const rowsPerPage = 1_000

/** Opens empty pages. `from` never yields a row for which `groupOf` returns undefined. */
export function openPages<Row extends Timed>(
  spill: Spill,
  codec: Codec<Row>,
  groupOf: (row: Row) => string | undefined,
): Pages<Row> {
  const full: Page[] = []
  let last: Row[] = []
  /** The page that was read last: the next call of a client often begins in the same one. */
  let lastRead: { readonly index: number; readonly rows: readonly Row[] } | undefined

  const turn = () => {
    const bytes = new TextEncoder().encode(codec.write(last))
    const place = spill.append(bytes)
    const rowsOfGroup = new Map<string, number>()
    for (const group of last.map(groupOf)) {
      if (group !== undefined) rowsOfGroup.set(group, (rowsOfGroup.get(group) ?? 0) + 1)
    }
    const [firstAtMs = 0, lastAtMs = 0] = [last[0]?.atMs, last.at(-1)?.atMs]
    full.push({ place, length: bytes.length, firstAtMs, lastAtMs, rowsOfGroup })
    last = []
  }

  const rowsOf = (index: number): readonly Row[] => {
    const page = full[index]
    if (page === undefined) return index === full.length ? last : []
    if (lastRead?.index !== index) {
      const text = new TextDecoder().decode(spill.read(page.place, page.length))
      lastRead = { index, rows: codec.read(text) }
    }
    return lastRead.rows
  }

  return {
    add(row) {
      last.push(row)
      if (last.length === rowsPerPage) turn()
    },
    size: () => full.length * rowsPerPage + last.length,
    slice(start, count) {
      const rows: Row[] = []
      const end = start + count
      for (let index = Math.floor(start / rowsPerPage); index <= full.length; index += 1) {
        const first = index * rowsPerPage
        if (first >= end) break
        rows.push(...rowsOf(index).slice(Math.max(0, start - first), end - first))
      }
      return rows
    },
    *from(part) {
      const { atMs, group } = part
      const inFull = full.findIndex(({ lastAtMs }) => lastAtMs >= atMs)
      let left = part.skipped
      for (let index = inFull === -1 ? full.length : inFull; index <= full.length; index += 1) {
        const count = rowsOfPart(full[index], part)
        if (count <= left) {
          left -= count
          continue
        }
        for (const row of rowsOf(index)) {
          if (row.atMs < atMs || groupOf(row) !== group) continue
          if (left > 0) left -= 1
          else yield row
        }
      }
    },
  }
}

/**
 * How many rows of a part a page has. Infinity where the page must be read to count them: for a page that begins before
 * the part, and for the page in memory.
 */
function rowsOfPart(page: Page | undefined, { atMs, group }: Part): number {
  if (page === undefined || page.firstAtMs < atMs) return Number.POSITIVE_INFINITY
  return page.rowsOfGroup.get(group) ?? 0
}
