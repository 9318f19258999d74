/** Storage for full pages: append-only bytes, read by position. */
export interface Spill {
  /** Returns the position. */
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
  /** The rows from this instant on. */
  from(atMs: number): Iterable<Row>
}

/** Serialises a page. */
export interface Codec<Row> {
  write(rows: readonly Row[]): string
  read(text: string): readonly Row[]
}

interface Page {
  readonly place: number
  readonly length: number
  readonly lastAtMs: number
}

export const rowsPerPage = 1_000

export function openPages<Row extends Timed>(spill: Spill, codec: Codec<Row>): Pages<Row> {
  const full: Page[] = []
  let last: Row[] = []
  /** A client reads a statement page by page. */
  let lastRead: { readonly index: number; readonly rows: readonly Row[] } | undefined

  const turn = () => {
    const bytes = new TextEncoder().encode(codec.write(last))
    const place = spill.append(bytes)
    full.push({ place, length: bytes.length, lastAtMs: last.at(-1)?.atMs ?? 0 })
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
    *from(atMs) {
      const inFull = full.findIndex(({ lastAtMs }) => lastAtMs >= atMs)
      for (let index = inFull === -1 ? full.length : inFull; index <= full.length; index += 1) {
        for (const row of rowsOf(index)) if (row.atMs >= atMs) yield row
      }
    },
  }
}
